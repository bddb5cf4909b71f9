import type { AnalyzedQuery, CorpusStatistics, RankedChunk } from '#retrieval';
import type { RankOptions } from '#retrieval/ranking/rank.types';

import type { Candidate } from './candidate.js';

/** Input of the ranker besides the candidates. */
export interface RankingQuery extends Pick<
  RankOptions,
  'profileOf' | 'sourceOf' | 'explain' | 'pathPatterns'
> {
  /** The query that the terms and identifiers of the candidates are from. */
  readonly query: AnalyzedQuery;
  /**
   * Set if the query has words of earlier results. Its candidates then do not show whether the
   * question can be answered.
   */
  readonly isHop: boolean;
}

/**
 * Ranked candidates, best first. Their objects are created when they are read: most searches read
 * the first ones.
 */
export interface RankedCandidates {
  /** Number of relevant candidates after repeats are removed. */
  readonly length: number;
  /** Statistics of all live content, whatever the scope. */
  readonly statistics: CorpusStatistics;
  /** Returns the first `count`, or all if there are fewer; the same objects each time. */
  first(count: number): readonly RankedChunk<Candidate>[];
  /** Returns all; the same objects as `first`. */
  all(): readonly RankedChunk<Candidate>[];
}
