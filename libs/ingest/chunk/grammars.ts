import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Language, Parser, Query } from 'web-tree-sitter';

import { LanguageProfile } from './language-profile.js';
import type { LanguageQuery } from './queries/language-query.js';
import { LANGUAGE_QUERIES } from './queries/index.js';

/** A grammar ready to parse with. */
export interface Grammar {
  readonly language: Language;
  readonly query: Query;
  readonly profile: LanguageProfile;
}

/**
 * Loads every grammar that definitions are known for.
 *
 * @param directory holds the `tree-sitter-<name>.wasm` files.
 * @throws when a grammar is missing or does not fit the runtime: a chunker that silently knows fewer languages would
 *   give other chunks for the same file.
 */
export async function loadGrammars(directory: string): Promise<ReadonlyMap<string, Grammar>> {
  await Parser.init();
  const grammars = new Map<string, Grammar>();
  for (const [name, query] of Object.entries(LANGUAGE_QUERIES)) grammars.set(name, await loadGrammar(directory, query));
  return grammars;
}

async function loadGrammar(directory: string, query: LanguageQuery): Promise<Grammar> {
  const language = await Language.load(await readFile(join(directory, `tree-sitter-${query.grammar}.wasm`)));
  return { language, query: new Query(language, query.definitions), profile: new LanguageProfile(language, query) };
}
