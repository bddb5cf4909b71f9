import { coveredShare, termWeights } from './lexical-score.js';
import type { CorpusStatistics, RankCandidate } from './rank.types.js';
import { bump, byRank, type Scored } from './scored.js';
import { WEIGHTS } from './weights.js';

/**
 * Boosts the best chunk of a file by the file's share of the evidence. A file with several matching
 * chunks is more likely the right one. The best chunk is selected by each chunk's own evidence.
 */
export function boostCoherentFiles<C extends RankCandidate>(scored: readonly Scored<C>[]): void {
  const files = [...Map.groupBy(scored, ({ file }) => file).values()].map((chunks) => {
    const [best, ...others] = chunks.sort(byRank).slice(0, WEIGHTS.coherenceChunks) as [
      Scored<C>,
      ...Scored<C>[],
    ];
    return { best, sum: others.reduce((sum, { score }) => sum + score, best.score) };
  });
  const highest = files.reduce((most, { best }) => Math.max(most, best.score), 0);
  const strongest = files.reduce((most, { sum }) => Math.max(most, sum), 0);
  if (strongest === 0) return;
  for (const { sum, best } of files)
    best.score = bump(best.score, WEIGHTS.coherence * highest, sum / strongest);
}

/**
 * Boosts the best chunk of a file whose chunks together cover most terms, rare ones above all. A
 * sentence needs several terms together, and a chunk seldom has all of them. @param strength degree
 * to which the query is a sentence: 0–1
 */
export function boostCoveringFiles<C extends RankCandidate>(
  scored: readonly Scored<C>[],
  statistics: CorpusStatistics,
  strength: number,
): void {
  if (strength === 0) return;
  const wanted = termWeights(statistics);
  const highest = scored.reduce((most, { score }) => Math.max(most, score), 0);
  for (const chunks of Map.groupBy(scored, ({ file }) => file).values()) {
    const [best] = chunks.sort(byRank) as [Scored<C>];
    const covered = coveredShare(wanted, (term) => chunks.some((chunk) => has(chunk, term)));
    best.score = bump(best.score, strength * WEIGHTS.coverage * highest, covered);
  }
}

function has({ candidate }: Scored<RankCandidate>, term: number): boolean {
  return (candidate.termFrequencies[term] ?? 0) > 0;
}

/**
 * Leaves room for other files. A file's second chunk has nine tenths of its score, and each further
 * one three fifths of the factor before it. The decayed value is the reported score. @returns the
 * chunks in rank order.
 */
export function saturateFiles<C extends RankCandidate>(scored: readonly Scored<C>[]): Scored<C>[] {
  const taken = new Map<number, number>();
  // Within a file the decayed values fall in rank order, so a greedy selection equals sorting by
  // them.
  const ranked = [...scored].sort(byRank);
  for (const entry of ranked) {
    const before = taken.get(entry.file) ?? 0;
    taken.set(entry.file, before + 1);
    if (before > 0) entry.score *= WEIGHTS.secondChunk * WEIGHTS.furtherChunkDecay ** (before - 1);
  }
  return ranked.sort(byRank);
}
