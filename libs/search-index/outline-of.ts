import { type Chunk, type ChunkDefinition, memberDefinition } from '#contracts';

import type { IndexedOutline } from './search-index.port.js';

type DefiningChunk = Pick<Chunk, 'defs' | 'definitions' | 'members'>;

/** Joins the definitions of a document's chunks, which are given in its order. */
export function outlineOf(chunks: readonly DefiningChunk[]): IndexedOutline {
  const placed = new Set(
    chunks.flatMap(({ definitions = [] }) => definitions.map(({ name }) => name)),
  );
  const names = chunks.flatMap(({ defs }) => defs);
  return {
    definitions: chunks.flatMap(definitionsIn),
    unplaced: [...new Set(names)].filter((name) => !placed.has(name)),
  };
}

/** Returns the definitions and members of a chunk by place; without members as they are. */
function definitionsIn({
  definitions = [],
  members = [],
}: DefiningChunk): readonly ChunkDefinition[] {
  if (members.length === 0) return definitions;
  const all = [...definitions, ...members.map(memberDefinition)];
  const lineOf = ({ place, start_line }: ChunkDefinition) => place?.line ?? start_line;
  return all.sort(
    (a, b) => lineOf(a) - lineOf(b) || (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
}
