import { bump } from './bump.js';
import type { RankCandidate, Scored } from './rank.types.js';

const STRENGTH = 0.3;

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
  for (const { sum, best } of files.values()) best.score = bump(best.score, STRENGTH * highest, sum / strongest);
}

function isBetter<C extends RankCandidate>(a: Scored<C>, b: Scored<C>): boolean {
  return a.score > b.score || (a.score === b.score && a.candidate.chunkId < b.candidate.chunkId);
}
