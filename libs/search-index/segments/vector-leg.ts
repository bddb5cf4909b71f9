import type { QuantisedVector } from '#retrieval';

import { isDropped } from '../pack/dropped-bitmap.js';
import type { SearchedView } from './searched-view.js';
import { TopChunks } from './top-chunks.js';
import type { VectorLane } from './vector-lane.js';

/** Exact scan of the scope's vectors for the highest cosine; the query must be set in the lane. Cosines of 0 and below are not offered. */
export function vectorLeg(
  scope: readonly SearchedView[],
  lane: VectorLane,
  query: QuantisedVector,
  limit: number,
  accepts: (view: SearchedView, chunk: number) => boolean,
): TopChunks {
  const top = new TopChunks(limit);
  for (const view of scope) {
    const { segment } = view;
    const { scales, chunkCount } = segment.tables;
    lane.scan(segment.vectorsAt, chunkCount, segment.dimensions, (first, products) => {
      let { threshold } = top;
      for (let i = 0; i < products.length; i++) {
        const product = products[i] as number;
        if (product <= 0) continue;
        const chunk = first + i;
        const score = product * (scales[chunk] as number) * query.scale;
        if (score < threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) continue;
        top.offer({ view, chunk, score });
        threshold = top.threshold;
      }
    });
  }
  return top;
}
