import type { RankCandidate, RankedChunk, ScoreContribution } from './rank.types.js';
import type { Scored } from './scored.js';

type Entry<C extends RankCandidate> = Omit<Scored<C>, 'file'>;

/**
 * Creates the object of a ranked chunk. Copies and contributions are absent if there are none.
 *
 * @param contributions undefined without `RankOptions.explain`
 */
export function rankedChunk<C extends RankCandidate>(
  { candidate, score, source, lexical, semantic, combined }: Entry<C>,
  copies: readonly C[],
  contributions: readonly ScoreContribution[] | undefined,
): RankedChunk<C> {
  const legs = { lexical, semantic, combined };
  const chunk = { candidate, score, priority: source.priority, source, legs };
  if (copies.length === 0 && !contributions) return chunk;
  return {
    ...chunk,
    ...(copies.length > 0 && { copies }),
    ...(contributions && { contributions }),
  };
}
