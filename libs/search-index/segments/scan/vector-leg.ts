import type { QuantisedVector } from '#retrieval';

import { isDropped } from '../../pack/dropped-bitmap.js';
import { scannedVectors, type SearchedView, type ViewRange } from './searched-view.js';
import { TopChunks } from './top-chunks.js';
import type { VectorLane } from './vector-lane.js';

/**
 * Exact scan of the scope's vectors for the highest cosine; the query must be set in the lane. Cosines of 0 and below are
 * not offered.
 *
 * @param productsOf takes the dot products of a range's chunks.
 */
export function vectorLeg(
  scope: readonly ViewRange[],
  lane: VectorLane,
  query: QuantisedVector,
  limit: number,
  productsOf: (range: ViewRange) => Int32Array,
  accepts: (view: SearchedView, chunk: number) => boolean,
): TopChunks {
  const top = new TopChunks(limit);
  for (const range of scope) {
    const { view, from, to } = range;
    const { scales } = view.segment.tables;
    const products = productsOf(range);
    const least = (): number => top.threshold / query.scale;
    lane.scan(scannedVectors(view.segment, from, to), products, least, (index) => {
      const chunk = from + index;
      const score = (products[index] as number) * (scales[chunk] as number) * query.scale;
      if (score < top.threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) return;
      top.offer({ view, chunk, score });
    });
  }
  return top;
}
