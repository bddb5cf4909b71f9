import type { Candidate } from '../../search-index.port.js';
import type { HitsPage, RowHit } from '../row-reader.js';
import type { FoundChunk } from './found-chunk.js';
import type { Retriever, RetrieverSearch } from './search-retrievers.js';
import { highestRatio } from './server-scores.js';

/**
 * Factor by which the server may underestimate a missing row more than any returned row, if its
 * formula is not known.
 */
const MARGIN = 1.15;

export interface DeeperSearch {
  /** Index of the search among those of all retrievers. */
  readonly at: number;
  readonly routing: readonly string[];
  readonly body: object;
}

/** Returns the id of a hit's row from its column. */
export function rowOf({ fields }: RowHit): string {
  return fields?.row_id?.[0] ?? '';
}

/** Returns the chunks that each retriever found, from the pages of its searches. */
export function foundByRetriever(
  retrievers: readonly Retriever[],
  pages: readonly HitsPage[],
  chunks: ReadonlyMap<string, FoundChunk>,
): readonly (readonly [Retriever, ReadonlySet<FoundChunk>])[] {
  let first = 0;
  return retrievers.map((retriever) => {
    const own = pages.slice(first, (first += retriever.searches.length));
    const rows = own.flatMap((page) => page.hits.hits.map(rowOf));
    return [retriever, new Set(rows.map((row) => chunks.get(row) as FoundChunk))];
  });
}

/** Returns the chunks that count for a retriever, best first, ties by chunk id. */
export function bestOf(
  { scoreOf, aboveZero }: Retriever,
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
 * Returns deeper searches for those whose first page was cut too early. A row behind it may have a
 * higher exact score than the last chunk that counts. The returned rows show how far the server
 * underestimates, and all rows that may score higher are requested.
 */
export function deeperSearches(
  retrievers: readonly Retriever[],
  pages: readonly HitsPage[],
  chunks: ReadonlyMap<string, FoundChunk>,
  limit: number,
): readonly DeeperSearch[] {
  const deeper: DeeperSearch[] = [];
  let at = 0;
  for (const [retriever, found] of foundByRetriever(retrievers, pages, chunks)) {
    const last = bestOf(retriever, found)[limit - 1];
    const wanted = last ? retriever.scoreOf(last) : 0;
    for (const search of retriever.searches) {
      const hits = (pages[at] as HitsPage).hits.hits;
      const least = wanted / highestOf(retriever, search, hits, chunks);
      if (search.deeper && hits.length === retriever.size && (hits.at(-1)?._score ?? 0) >= least) {
        deeper.push({ at, routing: search.routing, body: search.deeper(least) });
      }
      at += 1;
    }
  }
  return deeper;
}

/** Returns the highest ratio of exact score to server score that a missing row may have. */
function highestOf(
  retriever: Retriever,
  { routing }: RetrieverSearch,
  hits: readonly RowHit[],
  chunks: ReadonlyMap<string, FoundChunk>,
): number {
  const estimated = underestimate(retriever, hits, chunks) * MARGIN;
  // Rows of one tenant lie in one shard, with one average length.
  if (!retriever.weights || routing.length > 1) return estimated;
  const rows = hits.map((hit) => {
    const { candidate } = chunks.get(rowOf(hit)) as FoundChunk;
    const { length, termFrequencies: frequencies } = candidate;
    return { score: hit._score ?? 0, length, frequencies };
  });
  return Math.min(estimated, highestRatio(rows, retriever.weights) ?? Infinity);
}

/**
 * Returns the highest ratio of exact score to server score among returned rows; 1 if there is none.
 */
function underestimate(
  retriever: Retriever,
  hits: readonly RowHit[],
  chunks: ReadonlyMap<string, FoundChunk>,
): number {
  return hits.reduce((most, hit) => {
    const score = hit._score ?? 0;
    return score > 0
      ? Math.max(most, retriever.scoreOf(chunks.get(rowOf(hit)) as FoundChunk) / score)
      : most;
  }, 1);
}
