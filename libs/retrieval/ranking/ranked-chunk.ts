import type {
  RankCandidate,
  RankedChunk,
  ScoreContribution,
  SourceStanding,
} from './rank.types.js';

/** A candidate with its scores; see {@link RankedChunk}. */
interface Entry<C extends RankCandidate> {
  readonly candidate: C;
  readonly source: SourceStanding;
  readonly lexical: number;
  readonly semantic: number;
  readonly combined: number;
  readonly score: number;
}

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
