import { fileKey } from './file-coherence.js';
import { byRank } from './rank-order.js';
import type { RankCandidate, RankedChunk } from './rank.types.js';

const DECAY = 0.5;

/**
 * Makes room for other files: each further chunk of a file counts half of what the one before it would have. The decayed
 * value is the reported score. @returns the chunks in rank order.
 */
export function saturateFiles<C extends RankCandidate>(ranked: readonly RankedChunk<C>[]): RankedChunk<C>[] {
  const taken = new Map<string, number>();
  const decayed: RankedChunk<C>[] = [];
  // Within a file the decayed values fall in rank order, so picking greedily is the same as sorting by them.
  for (const entry of [...ranked].sort(byRank)) {
    const key = fileKey(entry.candidate);
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    decayed.push(before === 0 ? entry : { ...entry, score: entry.score * DECAY ** before });
  }
  return decayed.sort(byRank);
}
