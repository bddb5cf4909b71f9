import { type Chunk, memberDefinition } from '#contracts';

import type { IndexedSymbol, LiveSource } from '../search-index.port.js';

/** The parts of a chunk that show what it defines. */
export type DefiningChunk = Pick<
  Chunk,
  | 'ordinal'
  | 'defs'
  | 'definitions'
  | 'members'
  | 'symbol'
  | 'fragment'
  | 'language'
  | 'start_line'
  | 'end_line'
> & { readonly path: string };

/** A symbol with the place of its chunk in the document. */
export interface OrderedSymbol {
  readonly ordinal: number;
  readonly symbol: IndexedSymbol;
}

/**
 * Returns the definitions of a chunk whose names are wanted, in its order, and its members after
 * them. A name without lines has those of the chunk.
 */
export function symbolsOf(
  source: LiveSource,
  chunk: DefiningChunk,
  isWanted: (name: string) => boolean,
): OrderedSymbol[] {
  const { path, fragment, language, ordinal } = chunk;
  const members = (chunk.members ?? []).filter(({ name }) => isWanted(name));
  const placed = [
    ...(chunk.definitions ?? []).filter(({ name }) => isWanted(name)),
    ...members.map(memberDefinition),
  ];
  const names = new Set((chunk.definitions ?? []).map(({ name }) => name));
  const unplaced = chunk.defs.filter((name) => !names.has(name) && isWanted(name));
  const file = { source, path, fragment, language };
  return [
    ...placed.map(({ name, symbol, start_line, end_line, place }) => ({
      ...file,
      name,
      symbol,
      startLine: start_line,
      endLine: place?.last_line ?? end_line,
      place,
    })),
    ...unplaced.map((name) => ({
      ...file,
      name,
      symbol: chunk.symbol ?? name,
      startLine: chunk.start_line,
      endLine: chunk.end_line,
      place: undefined,
    })),
  ].map((symbol) => ({ ordinal, symbol }));
}

/** Returns symbols by source, UTF-8 bytes of the path and place, at most so many. */
export function inSymbolOrder(found: readonly OrderedSymbol[], limit: number): IndexedSymbol[] {
  const keyed = found.map((each, at) => ({ ...each, at, bytes: Buffer.from(each.symbol.path) }));
  keyed.sort(
    (a, b) =>
      compare(a.symbol.source.sourceId, b.symbol.source.sourceId) ||
      Buffer.compare(a.bytes, b.bytes) ||
      a.ordinal - b.ordinal ||
      a.at - b.at,
  );
  return keyed.slice(0, limit).map(({ symbol }) => symbol);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
