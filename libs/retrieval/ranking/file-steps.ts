import { coveredShare, termWeights } from './lexical-score.js';
import type { CorpusStatistics, RankCandidate } from './rank.types.js';
import { bump, byRank, type Scored } from './scored.js';
import { WEIGHTS } from './weights.js';

/**
 * A file several of whose chunks answer is likelier the right one: its best chunk rises with the
 * file's share of the evidence. Which chunk that is, each chunk's own evidence says.
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
 * A sentence asks for what is told by several terms together, and a chunk seldom has all of them:
 * of a file whose chunks have most between them, rare terms above all, the best chunk rises.
 * @param strength how far the query is a sentence: 0–1
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
 * Makes room for other files: a file's second chunk keeps nine tenths of its score, and each
 * further one three fifths of what the one before it kept. The decayed value is the reported score.
 * @returns the chunks in rank order.
 */
export function saturateFiles<C extends RankCandidate>(scored: readonly Scored<C>[]): Scored<C>[] {
  const taken = new Map<number, number>();
  // Within a file the decayed values fall in rank order, so picking greedily is the same as sorting
  // by them.
  const ranked = [...scored].sort(byRank);
  for (const entry of ranked) {
    const before = taken.get(entry.file) ?? 0;
    taken.set(entry.file, before + 1);
    if (before > 0) entry.score *= WEIGHTS.secondChunk * WEIGHTS.furtherChunkDecay ** (before - 1);
  }
  return ranked.sort(byRank);
}
