import { readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { Language, Parser, Query } from 'web-tree-sitter';

import { LanguageProfile } from './language-profile.js';
import { LANGUAGE_QUERIES } from './queries/index.js';

/** Used part of the global `WebAssembly`, whose types are only in the library for browsers. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => never };
};

/** Grammar that is ready to parse. */
export interface Grammar {
  readonly language: Language;
  readonly query: Query;
  readonly profile: LanguageProfile;
  readonly hasHugeLexer: boolean;
}

/**
 * Grammars of every language with known definitions. Each is loaded with its first file. Together
 * they take half a second and 100 MB, and most sources need two or three.
 */
export class Grammars {
  private readonly loaded = new Map<string, Grammar>();

  private constructor(private readonly directory: string) {}

  /**
   * Opens the grammars.
   *
   * @param directory contains the `tree-sitter-<name>.wasm` files.
   * @throws if one is missing: a chunker that silently supports fewer languages would produce other
   * chunks for a file.
   */
  static async open(directory: string): Promise<Grammars> {
    await Parser.init();
    const grammars = new Grammars(directory);
    await Promise.all(
      Object.values(LANGUAGE_QUERIES).map(({ grammar }) => access(grammars.file(grammar))),
    );
    return grammars;
  }

  /**
   * Returns the grammar of a language, or undefined if there is none. @throws if its file does not
   * fit the runtime.
   */
  get(name: string): Grammar | undefined {
    const known = this.loaded.get(name);
    if (known !== undefined || !Object.hasOwn(LANGUAGE_QUERIES, name)) return known;
    const query = LANGUAGE_QUERIES[name];
    if (query === undefined) return undefined;
    const language = Language.loadSync(new wasm.Module(readFileSync(this.file(query.grammar))));
    const grammar = {
      language,
      // One query: each visits all nodes, which takes most of its time.
      query: new Query(language, query.definitions + (query.members ?? '')),
      profile: new LanguageProfile(language, query),
      hasHugeLexer: query.hasHugeLexer ?? false,
    };
    this.loaded.set(name, grammar);
    return grammar;
  }

  private file(grammar: string): string {
    return join(this.directory, `tree-sitter-${grammar}.wasm`);
  }
}
