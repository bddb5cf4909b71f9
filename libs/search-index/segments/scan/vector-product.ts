import type { SharedMemory } from '#retrieval/wasm-functions';

import { hasSignatures, type SearchedSegment } from './searched-view.js';
import { BLOCK_VECTORS, blockWidth } from './vector-blocks.js';

/** Returns the product of a query with one vector of a segment in the arena. */
export function productWith(
  { buffer }: SharedMemory,
  segment: SearchedSegment,
  vector: number,
  query: Int8Array,
): number {
  const { tables, vectorsAt, dimensions } = segment;
  // In a row, the values of a vector are next to each other; in a block, those of a dimension.
  const isRow = hasSignatures(segment);
  const first = isRow ? vector : vector - (vector % BLOCK_VECTORS);
  const width = isRow ? 1 : blockWidth(tables.chunkCount - first);
  const values = new Int8Array(buffer, vectorsAt + first * dimensions, width * dimensions);
  let sum = 0;
  for (let dimension = 0; dimension < dimensions; dimension += 1) {
    const value = query[dimension] as number;
    if (value !== 0) sum += value * (values[dimension * width + vector - first] as number);
  }
  return sum;
}
