import type { AnalyzedQuery } from '#retrieval';
import type { ModelProfile, RankOptions, SourceStanding } from '#retrieval/ranking/rank.types';

import type { RankingQuery } from '../../ranking.types.js';
import type { QueryVectors } from '../scan/search-slice.js';
import type { SegmentView } from '../store/loaded-generation.js';

/** The input of the ranker besides the candidates; it can be posted to another thread. */
export interface PostedRanking extends Pick<RankOptions, 'searched' | 'explain' | 'pathPatterns'> {
  readonly query: AnalyzedQuery;
  /** Profiles of the models in scope, and of chunks without comparable vectors. */
  readonly profiles: ReadonlyMap<string | undefined, ModelProfile>;
  /** Standings of the views of the scope, in its order; see {@link standingAt}. */
  readonly standings: Float64Array;
}

/** Numbers of each view in {@link PostedRanking.standings}. */
const STANDING = 4;

/**
 * Returns the input of the ranker for a scope.
 *
 * @param searched chunks of the scope; null if it is not known
 */
export function postedRanking(
  { query, isHop, explain, pathPatterns, profileOf, sourceOf }: RankingQuery,
  scope: readonly SegmentView[],
  vectors: QueryVectors,
  searched: number | null,
): PostedRanking {
  return {
    query,
    profiles: new Map([undefined, ...vectors.keys()].map((model) => [model, profileOf(model)])),
    standings: packStandings(scope.map(({ source: { sourceId } }) => sourceOf(sourceId))),
    searched: isHop ? undefined : { chunks: searched },
    explain,
    pathPatterns,
  };
}

function packStandings(standings: readonly SourceStanding[]): Float64Array {
  const packed = new Float64Array(standings.length * STANDING);
  for (const [at, { priority, isRepository, isStale, syncedAt }] of standings.entries())
    packed.set([priority, syncedAt, Number(isRepository), Number(isStale)], at * STANDING);
  return packed;
}

/** Returns the standing of a view. */
export function standingAt(packed: Float64Array, at: number): SourceStanding {
  const [priority = 0, syncedAt = 0, isRepository = 0, isStale = 0] = packed.subarray(
    at * STANDING,
    (at + 1) * STANDING,
  );
  return { priority, syncedAt, isRepository: isRepository === 1, isStale: isStale === 1 };
}
