import { rank } from '#retrieval';

import type { RankedCandidates, RankingQuery } from './ranking.types.js';
import type { Candidates } from './search-index.port.js';

/** Ranks candidates in the calling thread, for engines without threads that could do it. */
export function rankCandidates(
  { candidates, statistics, searched }: Candidates,
  { query, isHop, ...options }: RankingQuery,
): RankedCandidates {
  const ranked = rank(query, candidates, statistics, {
    ...options,
    searched: isHop ? undefined : { chunks: searched },
  });
  return {
    length: ranked.length,
    statistics,
    first: (count) => ranked.slice(0, count),
    all: () => ranked,
  };
}
