import { byRank } from './scored.js';
import type { RankCandidate, Scored } from './rank.types.js';

const DECAY = 0.6;

/**
 * Makes room for other files: each further chunk of a file counts three fifths of what the one before it would have. The decayed
 * value is the reported score. @returns the chunks in rank order.
 */
export function saturateFiles<C extends RankCandidate>(scored: readonly Scored<C>[]): Scored<C>[] {
  const taken = new Map<number, number>();
  // Within a file the decayed values fall in rank order, so picking greedily is the same as sorting by them.
  const ranked = [...scored].sort(byRank);
  for (const entry of ranked) {
    const before = taken.get(entry.file) ?? 0;
    taken.set(entry.file, before + 1);
    if (before > 0) entry.score *= DECAY ** before;
  }
  return ranked.sort(byRank);
}
