import type { Candidate } from '../../search-index.port.js';
import type { HitsPage, RowHit } from '../row-reader.js';
import type { FoundChunk } from './found-chunk.js';
import type { Leg } from './search-legs.js';

/** How much more than in any row that came the server may underestimate one that did not. */
const MARGIN = 1.15;

export interface DeeperSearch {
  /** Index of the search among those of all legs. */
  readonly at: number;
  readonly routing: readonly string[];
  readonly body: object;
}

/** Id of a hit's row, as its column holds it. */
export function rowOf({ fields }: RowHit): string {
  return fields?.row_id?.[0] ?? '';
}

/** The chunks that each leg found, by the pages of its searches. */
export function foundByLeg(
  legs: readonly Leg[],
  pages: readonly HitsPage[],
  chunks: ReadonlyMap<string, FoundChunk>,
): readonly (readonly [Leg, ReadonlySet<FoundChunk>])[] {
  let first = 0;
  return legs.map((leg) => {
    const own = pages.slice(first, (first += leg.searches.length));
    const rows = own.flatMap((page) => page.hits.hits.map(rowOf));
    return [leg, new Set(rows.map((row) => chunks.get(row) as FoundChunk))];
  });
}

/** The chunks that count for a leg, best first, ties by chunk id. */
export function bestOf(
  { scoreOf, aboveZero }: Leg,
  found: Iterable<FoundChunk>,
): readonly FoundChunk[] {
  return [...found]
    .filter((chunk) => !aboveZero || scoreOf(chunk) > 0)
    .sort((a, b) => scoreOf(b) - scoreOf(a) || byChunkId(a.candidate, b.candidate));
}

export function byChunkId(a: Candidate, b: Candidate): number {
  return a.chunkId < b.chunkId ? -1 : a.chunkId > b.chunkId ? 1 : a.sourceId < b.sourceId ? -1 : 1;
}

/**
 * The searches whose first page was cut too early: a row behind it may have a higher exact score
 * than the last chunk that counts. The rows that came show how far the server underestimates; all
 * rows that may score higher are asked for.
 */
export function deeperSearches(
  legs: readonly Leg[],
  pages: readonly HitsPage[],
  chunks: ReadonlyMap<string, FoundChunk>,
  limit: number,
  size: number,
): readonly DeeperSearch[] {
  const deeper: DeeperSearch[] = [];
  let at = 0;
  for (const [leg, found] of foundByLeg(legs, pages, chunks)) {
    const last = bestOf(leg, found)[limit - 1];
    const wanted = last ? leg.scoreOf(last) : 0;
    for (const search of leg.searches) {
      const hits = (pages[at] as HitsPage).hits.hits;
      const least = wanted / (underestimate(leg, hits, chunks) * MARGIN);
      if (search.deeper && hits.length === size && (hits.at(-1)?._score ?? 0) >= least) {
        deeper.push({ at, routing: search.routing, body: search.deeper(least) });
      }
      at += 1;
    }
  }
  return deeper;
}

/**
 * By how much the exact score of a row that came is above the server's, at most; 1 where none is.
 */
function underestimate(
  leg: Leg,
  hits: readonly RowHit[],
  chunks: ReadonlyMap<string, FoundChunk>,
): number {
  return hits.reduce((most, hit) => {
    const score = hit._score ?? 0;
    return score > 0
      ? Math.max(most, leg.scoreOf(chunks.get(rowOf(hit)) as FoundChunk) / score)
      : most;
  }, 1);
}
