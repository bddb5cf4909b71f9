import type { QuantisedVector } from '#retrieval';

import { isDropped } from '../pack/dropped-bitmap.js';
import type { SearchedView } from './searched-view.js';
import { TopChunks } from './top-chunks.js';
import type { VectorLane } from './vector-lane.js';

/**
 * Exact scan of the scope's vectors for the highest cosine; the query must be set in the lane. Cosines of 0 and below are
 * not offered.
 *
 * @param productsOf takes the dot products of a view's chunks.
 */
export function vectorLeg(
  scope: readonly SearchedView[],
  lane: VectorLane,
  query: QuantisedVector,
  limit: number,
  productsOf: (view: SearchedView) => Int32Array,
  accepts: (view: SearchedView, chunk: number) => boolean,
): TopChunks {
  const top = new TopChunks(limit);
  for (const view of scope) {
    const { segment } = view;
    const { scales, chunkCount } = segment.tables;
    const products = productsOf(view);
    lane.scan(segment.vectorsAt, chunkCount, segment.dimensions, products);
    let { threshold } = top;
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      const product = products[chunk] as number;
      if (product <= 0) continue;
      const score = product * (scales[chunk] as number) * query.scale;
      if (score < threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) continue;
      top.offer({ view, chunk, score });
      threshold = top.threshold;
    }
  }
  return top;
}
