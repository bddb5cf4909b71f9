import { collapseRepeats } from '../ranking/collapse.js';
import { numberFiles } from '../ranking/file-numbers.js';
import { byRank } from '../ranking/scored.js';
import type { RankCandidate, RankedChunk } from '../ranking/rank.types.js';

/**
 * Adds what a hop found to what was found before. A hop is worth no more than where it starts: its scores are multiplied
 * by the origin's combined score, so they stay absolute and the origin itself never rises. A chunk found twice keeps the
 * better score.
 *
 * @returns in rank order, without repeats
 */
export function joinRounds<C extends RankCandidate>(
  found: readonly RankedChunk<C>[],
  hop: readonly RankedChunk<C>[],
  origin: RankedChunk<C>,
): RankedChunk<C>[] {
  const trust = origin.legs.combined;
  const best = new Map(found.map((chunk) => [chunk.candidate.chunkId, chunk]));
  for (const chunk of hop) {
    const known = best.get(chunk.candidate.chunkId);
    const score = chunk.score * trust;
    if (known && known.score >= score) continue;
    const legs = { ...chunk.legs, combined: chunk.legs.combined * trust };
    best.set(chunk.candidate.chunkId, { ...chunk, score, legs });
  }
  const fileOf = numberFiles();
  const inOrder = [...best.values()].sort(byRank);
  const kept = collapseRepeats(
    inOrder.map((chunk) => ({ chunk, candidate: chunk.candidate, file: fileOf(chunk.candidate) })),
  );
  return kept.map(({ chunk }) => chunk);
}
