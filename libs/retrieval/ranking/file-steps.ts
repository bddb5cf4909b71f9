import type { RankCandidate } from './rank.types.js';
import { bump, byRank, type Scored } from './scored.js';

/** How far the best chunk of the strongest file rises. */
const COHERENCE = 0.3;
/** What each further chunk of a file keeps of what the one before it kept. */
const DECAY = 0.6;

/** A file many of whose chunks answer is likelier the right one: its best chunk rises with the file's share of the evidence. */
export function boostCoherentFiles<C extends RankCandidate>(scored: readonly Scored<C>[]): void {
  const files = new Map<number, { sum: number; best: Scored<C> }>();
  let highest = 0;
  for (const entry of scored) {
    highest = Math.max(highest, entry.score);
    const file = files.get(entry.file);
    if (!file) files.set(entry.file, { sum: entry.score, best: entry });
    else {
      file.sum += entry.score;
      if (isBetter(entry, file.best)) file.best = entry;
    }
  }
  let strongest = 0;
  for (const file of files.values()) strongest = Math.max(strongest, file.sum);
  if (strongest === 0) return;
  for (const { sum, best } of files.values()) best.score = bump(best.score, COHERENCE * highest, sum / strongest);
}

function isBetter<C extends RankCandidate>(a: Scored<C>, b: Scored<C>): boolean {
  return a.score > b.score || (a.score === b.score && a.candidate.chunkId < b.candidate.chunkId);
}

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
