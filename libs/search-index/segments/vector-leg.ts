import type { QuantisedVector } from '#retrieval';

import { isDropped } from '../pack/dropped-bitmap.js';
import type { SearchedView, ViewRange } from './searched-view.js';
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
    const { vectorsAt, dimensions, tables } = view.segment;
    const { scales } = tables;
    const products = productsOf(range);
    lane.scan(vectorsAt + from * dimensions, to - from, dimensions, products);
    let { threshold } = top;
    for (let chunk = from; chunk < to; chunk++) {
      const product = products[chunk - from] as number;
      if (product <= 0) continue;
      const score = product * (scales[chunk] as number) * query.scale;
      if (score < threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) continue;
      top.offer({ view, chunk, score });
      threshold = top.threshold;
    }
  }
  return top;
}
