import { arenaBytes, BLOCK_VECTORS, blockBytes, toBlock } from '../scan/vector-blocks.js';
import type { ScannedVectors } from '../scan/vector-scratch.js';
import type { Segment } from '../store/segment.js';
import type { VectorArena } from '../store/vector-arena.js';
import { recordBytes, sentenceAt } from './sentence-file.js';

/** The sentence vectors of a whole pack in the memory of scans. */
export interface PlacedSentences extends ScannedVectors {
  readonly scales: Float32Array;
  readonly bytes: number;
}

/** The sentence vectors of one pack: the first ones while it is refined, then all. */
export interface PackSentences {
  readonly segment: Segment;
  /** Records of the vectors so far. */
  records: Buffer;
  /** Set once all are there. */
  placed: PlacedSentences | undefined;
}

export function countSentences({ records }: PackSentences, dimensions: number): number {
  return records.length / recordBytes(dimensions);
}

/** Writes all vectors of a pack into the arena, in the layout for scans. */
export function placeSentences(
  records: Buffer,
  count: number,
  dimensions: number,
  arena: VectorArena,
): PlacedSentences {
  const bytes = arenaBytes(count, dimensions);
  const at = arena.reserve(bytes);
  const target = arena.bytes(at, bytes);
  const scales = new Float32Array(count);
  for (let first = 0; first < count; first += BLOCK_VECTORS) {
    const size = Math.min(BLOCK_VECTORS, count - first);
    const block = new Uint8Array(blockBytes(size, dimensions));
    for (let row = 0; row < size; row += 1) {
      const { q, scale } = sentenceAt(records, first + row, dimensions);
      block.set(new Uint8Array(q.buffer, q.byteOffset, q.length), row * dimensions);
      scales[first + row] = scale;
    }
    target.set(toBlock(block, dimensions), first * dimensions);
  }
  const scalesAt = blockBytes(count, dimensions);
  // Reused memory is not empty.
  target.fill(0, scalesAt);
  target.set(new Uint8Array(scales.buffer), scalesAt);
  return { at, scalesAt: at + scalesAt, count, dimensions, scales, bytes };
}
