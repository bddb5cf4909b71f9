import { readFileSync } from 'node:fs';

import { readO200kFile } from './o200k-file.js';
import { decodeTables } from './tables-file.js';
import { buildTables, type VocabularyTables } from './vocabulary-tables.js';

/** Written by the build (`tools/token-tables.mjs`), next to the built code. */
export const O200K_TABLES = new URL('./o200k.tables', import.meta.url);

/**
 * Returns the tables of o200k from the file of the build, in some 4 ms. Without a sound file they
 * are built, with the same content: the command line's package has none.
 */
export function o200kTables(): VocabularyTables {
  return builtTables() ?? buildTables(readO200kFile());
}

function builtTables(): VocabularyTables | undefined {
  try {
    return decodeTables(readFileSync(O200K_TABLES));
  } catch {
    return undefined;
  }
}
