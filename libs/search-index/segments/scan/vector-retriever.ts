import type { QuantizedVector } from '#retrieval';

import { isDropped } from '../../pack/dropped-bitmap.js';
import type { Accepts } from './accepted-chunks.js';
import type { ScanPace, Steps } from './scan-pace.js';
import { scannedVectors, type ViewRange } from './searched-view.js';
import { TopChunks } from './top-chunks.js';
import { BLOCK_VECTORS } from './vector-blocks.js';
import type { VectorScratch } from './vector-scratch.js';

export interface VectorRetrieverInput {
  readonly query: QuantizedVector;
  readonly limit: number;
  /** Returns the buffer for the dot products of a range's chunks. */
  readonly productsOf: (range: ViewRange) => Int32Array;
  readonly accepts: Accepts;
  readonly pace: ScanPace;
}

/**
 * Scans the scope's vectors exactly for the highest cosine. Cosines of 0 and below are not offered.
 */
export function* vectorRetriever(
  scope: readonly ViewRange[],
  vectorScratch: VectorScratch,
  input: VectorRetrieverInput,
): Steps<TopChunks> {
  const { query, limit, productsOf, pace } = input;
  const top = new TopChunks(limit);
  for (const range of scope) {
    const vectors = scannedVectors(range.view.segment, range.from, range.to);
    const products = productsOf(range);
    for (let first = 0; first < vectors.count; first += BLOCK_VECTORS) {
      // Another search may have used the scratch memory since.
      vectorScratch.setQuery(query.q);
      let found = vectorScratch.scanBlock(vectors, first, products, top.threshold / query.scale);
      for (;;) {
        const offered = offerFound(range, found, products, top, input);
        if (!pace.isDue) break;
        // The next search uses the same memory.
        found = found.slice(offered);
        yield;
      }
      pace.spend((BLOCK_VECTORS * vectors.dimensions) / 8);
      if (pace.isDue) yield;
    }
  }
  return top;
}

/**
 * Offers found vectors until the time slice is used up.
 * @returns the number of offered vectors.
 */
function offerFound(
  { view, from }: ViewRange,
  found: Uint32Array,
  products: Int32Array,
  top: TopChunks,
  { query, accepts, pace }: VectorRetrieverInput,
): number {
  const { scales } = view.segment.tables;
  let at = 0;
  while (at < found.length && !pace.isDue) {
    const index = found[at++] as number;
    const chunk = from + index;
    const score = (products[index] as number) * (scales[chunk] as number) * query.scale;
    if (score < top.threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) continue;
    top.offer(view, chunk, score);
  }
  return at;
}
