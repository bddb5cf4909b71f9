import { withScoresOfPlaces } from './place-scores.js';
import type { RankCandidate, RankedChunk } from './rank.types.js';
import { WEIGHTS } from './weights.js';

/** Returns the chunks of a ranking that a reranker reads: the first ones. */
export function toRerank<C extends RankCandidate>(
  ranked: readonly RankedChunk<C>[],
): readonly RankedChunk<C>[] {
  return ranked.slice(0, WEIGHTS.rerankedChunks);
}

/**
 * Returns a ranking whose first chunks are in the order of a reranker. A lower priority of the
 * source lowers a chunk as it lowers scores: by `priority / (10 + rank)`. Chunks that the reranker
 * did not read follow. The scores of the ranking stay at their places.
 *
 * @param chunkIds the chunks that the reranker read, the most relevant first
 */
export function reorderByRelevance<C extends RankCandidate>(
  ranked: readonly RankedChunk<C>[],
  chunkIds: readonly string[],
): readonly RankedChunk<C>[] {
  const read = toRerank(ranked);
  const ranks = new Map(chunkIds.map((id, at) => [id, at + 1]));
  const top = Math.max(...read.map(({ priority }) => priority));
  const shareOf = ({ candidate, priority }: RankedChunk<C>): number => {
    const rank = ranks.get(candidate.chunkId);
    return rank === undefined ? 0 : priority / top / (WEIGHTS.rerankRank + rank);
  };
  const ordered = read
    .map((entry, at) => ({ entry, at, share: shareOf(entry) }))
    .sort((a, b) => b.share - a.share || a.at - b.at)
    .map(({ entry }) => entry);
  return withScoresOfPlaces(
    [...ordered, ...ranked.slice(read.length)],
    ranked.map(({ score }) => score),
    'reranker',
  );
}
