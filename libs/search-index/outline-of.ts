import type { Chunk } from '#contracts';

import type { IndexedOutline } from './search-index.port.js';

/** Joins the definitions of a document's chunks, which are given in its order. */
export function outlineOf(chunks: readonly Pick<Chunk, 'defs' | 'definitions'>[]): IndexedOutline {
  const definitions = chunks.flatMap((chunk) => chunk.definitions ?? []);
  const placed = new Set(definitions.map(({ name }) => name));
  const names = chunks.flatMap(({ defs }) => defs);
  return { definitions, unplaced: [...new Set(names)].filter((name) => !placed.has(name)) };
}
