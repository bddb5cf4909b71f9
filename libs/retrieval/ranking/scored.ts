import type { RankCandidate, Scored } from './rank.types.js';

type Placed = Pick<Scored<RankCandidate>, 'candidate' | 'score'>;

/** Highest score first; equal scores by chunk id, so that the same content always comes in the same order. */
export function byRank(a: Placed, b: Placed): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.candidate.chunkId < b.candidate.chunkId ? -1 : a.candidate.chunkId > b.candidate.chunkId ? 1 : 0;
}
