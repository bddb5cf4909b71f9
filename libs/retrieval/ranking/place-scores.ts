import type { RankCandidate, RankedChunk, ScorePart } from './rank.types.js';

/**
 * Returns entries in a new order, each with the score of its place in the ranking before. So the
 * best score does not change, and scores never rise down the list.
 *
 * @param scores of the ranking before; entries after its end get the last one
 * @param part that explains the difference
 */
export function withScoresOfPlaces<C extends RankCandidate>(
  entries: readonly RankedChunk<C>[],
  scores: readonly number[],
  part: ScorePart,
): readonly RankedChunk<C>[] {
  const last = scores.at(-1) ?? 0;
  return entries.map((entry, at) => scoredAt(entry, scores[at] ?? last, part));
}

function scoredAt<C extends RankCandidate>(
  entry: RankedChunk<C>,
  score: number,
  part: ScorePart,
): RankedChunk<C> {
  const difference = score - entry.score;
  if (difference === 0 || !entry.contributions) return { ...entry, score };
  return {
    ...entry,
    score,
    contributions: [...entry.contributions, { name: part, value: difference }],
  };
}
