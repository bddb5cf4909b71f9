import type { LineRange } from './merge-passages.js';

/**
 * Share of its hit's score for the nearest neighbor: less than a chunk of the file that was itself
 * found has in the ranking.
 */
const NEAREST = 0.5;

/** A chunk that answers the query itself. */
export interface Hit extends LineRange {
  readonly score: number;
  /** Place among all hits of the answer, from 0. */
  readonly rank: number;
}

export interface Neighbor<C extends LineRange> {
  readonly chunk: C;
  /**
   * Half the score of the hit next to it, falling to zero at the end of the radius. With several
   * hits, the best of these values.
   */
  readonly score: number;
  /** Rank of the best hit in whose radius it lies: it is shown for that hit. */
  readonly rank: number;
  /** Distance from that hit in lines. */
  readonly distance: number;
}

/**
 * Returns the chunks of a document that have a line within `radius` lines of a hit and are not
 * hits, in the document's order.
 *
 * @param document all chunks of one document @param radius in lines; 0 selects only chunks that
 * overlap a hit
 */
export function chooseNeighbors<C extends LineRange>(
  document: readonly C[],
  hits: readonly Hit[],
  radius: number,
): Neighbor<C>[] {
  const ids = new Set(hits.map(({ chunkId }) => chunkId));
  return document.flatMap((chunk) => {
    if (ids.has(chunk.chunkId)) return [];
    const near = hits
      .map((hit) => ({ hit, distance: linesBetween(chunk, hit) }))
      .filter(({ distance }) => distance <= radius)
      .sort((a, b) => a.hit.rank - b.hit.rank);
    const [first] = near;
    const score = Math.max(
      ...near.map(({ hit, distance }) => scoreBeside(hit, distance, radius)),
      0,
    );
    return first && score > 0
      ? [{ chunk, score, rank: first.hit.rank, distance: first.distance }]
      : [];
  });
}

function scoreBeside(hit: Hit, distance: number, radius: number): number {
  return hit.score * NEAREST * (1 - distance / (radius + 1));
}

/**
 * Returns the distance from one range to the next line of the other: 1 when they touch, 0 when they
 * overlap.
 */
function linesBetween(a: LineRange, b: LineRange): number {
  return Math.max(0, a.startLine - b.endLine, b.startLine - a.endLine);
}
