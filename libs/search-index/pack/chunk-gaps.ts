import type { PackedChunk } from './invert-chunks.js';
import { NO_STRING } from './pack-layout.js';

/** Text around a chunk in its file; see `Chunk`. */
export interface ChunkGap {
  readonly before?: string;
  readonly after?: string;
}

/** The gaps of a pack: few distinct ones, and which of them each chunk has. */
export interface PackedGaps {
  /** String ids of the text before and after, or none, for each distinct gap. */
  readonly pairs: Uint32Array;
  /** Number of the gap of each chunk, in as few bytes as the count of gaps needs. */
  readonly chunks: Uint8Array | Uint16Array | Uint32Array;
}

/** Returns the gaps of chunks in pack order; undefined if no chunk has one. */
export function packGaps(
  packed: readonly PackedChunk[],
  stringId: ReadonlyMap<string, number>,
): PackedGaps | undefined {
  const ids = packed.map(({ chunk }): readonly [number, number] => [
    idOf(chunk.before, stringId),
    idOf(chunk.after, stringId),
  ]);
  if (ids.every(([before, after]) => before === NO_STRING && after === NO_STRING)) return undefined;
  const distinct = [...new Map(ids.map((pair) => [keyOf(pair), pair])).values()];
  distinct.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const numbers = new Map(distinct.map((pair, number) => [keyOf(pair), number]));
  const chunks = ids.map((pair) => numbers.get(keyOf(pair)) as number);
  return { pairs: Uint32Array.from(distinct.flat()), chunks: arrayFor(distinct.length, chunks) };
}

/** Returns the gap of a chunk. */
export function gapOf(
  { pairs, chunks }: PackedGaps,
  chunk: number,
  text: (id: number) => string,
): ChunkGap {
  const at = (chunks[chunk] ?? 0) * 2;
  const [before, after] = [pairs[at] ?? NO_STRING, pairs[at + 1] ?? NO_STRING];
  return {
    ...(before !== NO_STRING && { before: text(before) }),
    ...(after !== NO_STRING && { after: text(after) }),
  };
}

/** Returns a section's numbers, whose width follows from the number of chunks. */
export function gapNumbers(section: Uint8Array, count: number): PackedGaps['chunks'] {
  const width = count === 0 ? 1 : section.byteLength / count;
  if (width === 1) return section;
  const bytes = section.slice().buffer;
  return width === 2 ? new Uint16Array(bytes) : new Uint32Array(bytes);
}

function arrayFor(distinct: number, numbers: readonly number[]): PackedGaps['chunks'] {
  if (distinct <= 0x100) return Uint8Array.from(numbers);
  return distinct <= 0x1_0000 ? Uint16Array.from(numbers) : Uint32Array.from(numbers);
}

function idOf(text: string | undefined, stringId: ReadonlyMap<string, number>): number {
  return text === undefined ? NO_STRING : (stringId.get(text) as number);
}

function keyOf([before, after]: readonly [number, number]): string {
  return `${before} ${after}`;
}
