import { readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { Language, Parser, Query } from 'web-tree-sitter';

import { LanguageProfile } from './language-profile.js';
import { LANGUAGE_QUERIES } from './queries/index.js';

/**
 * The little that is used of the global `WebAssembly`, whose types come only with a browser's
 * library.
 */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => never };
};

/** A grammar ready to parse with. */
export interface Grammar {
  readonly language: Language;
  readonly query: Query;
  readonly profile: LanguageProfile;
  readonly hasHugeLexer: boolean;
}

/**
 * The grammars of every language that definitions are known for, each loaded when its first file
 * comes: together they take half a second and 100 MB, and most sources need two or three.
 */
export class Grammars {
  private readonly loaded = new Map<string, Grammar>();

  private constructor(private readonly directory: string) {}

  /**
   * @param directory holds the `tree-sitter-<name>.wasm` files.
   * @throws when one is missing: a chunker that silently knows fewer languages would give other
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
   * The grammar of a language; undefined where there is none. @throws when its file does not fit
   * the runtime.
   */
  get(name: string): Grammar | undefined {
    const known = this.loaded.get(name);
    if (known !== undefined || !Object.hasOwn(LANGUAGE_QUERIES, name)) return known;
    const query = LANGUAGE_QUERIES[name];
    if (query === undefined) return undefined;
    const language = Language.loadSync(new wasm.Module(readFileSync(this.file(query.grammar))));
    const grammar = {
      language,
      query: new Query(language, query.definitions),
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
