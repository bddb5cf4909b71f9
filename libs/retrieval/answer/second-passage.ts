import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { withScoresOfPlaces } from '../ranking/place-scores.js';
import type { RankCandidate, RankedChunk } from '../ranking/rank.types.js';
import { sentenceShare } from '../ranking/sentence-share.js';
import { WEIGHTS } from '../ranking/weights.js';

/**
 * Returns a ranking whose first file shows its second passage among the first results. Within the
 * right file, the right passage is often the second best. The passage moves to the first place
 * with a clearly lower score than the best one. It stays where it is if the first results have no
 * such place. The scores of the places and the order of files stay. Applies to sentences only.
 *
 * @param ranked with scores that never rise
 */
export function raiseSecondPassage<C extends RankCandidate>(
  ranked: readonly RankedChunk<C>[],
  query: AnalyzedQuery,
): readonly RankedChunk<C>[] {
  const [best] = ranked;
  if (!best || sentenceShare(query) === 0) return ranked;
  const lower = WEIGHTS.secondPassage * best.score;
  const to = ranked.findIndex(({ score }) => score <= lower);
  if (to < 1 || to >= WEIGHTS.secondPassagePlaces) return ranked;
  const { sourceId, path } = best.candidate;
  const from = ranked.findIndex(
    ({ candidate }, at) => at >= 1 && candidate.path === path && candidate.sourceId === sourceId,
  );
  const second = ranked[from];
  if (!second || from <= to) return ranked;
  const scores = ranked.slice(to, from + 1).map(({ score }) => score);
  return [
    ...ranked.slice(0, to),
    ...withScoresOfPlaces([second, ...ranked.slice(to, from)], scores, 'passages'),
    ...ranked.slice(from + 1),
  ];
}
