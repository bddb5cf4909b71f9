import { coveredShare, termWeights } from './lexical-score.js';
import type { CorpusStatistics, RankCandidate } from './rank.types.js';
import { bump, byRank, type Scored } from './scored.js';
import { WEIGHTS } from './weights.js';

/** Chunks of a file that are sorted by insertion. */
const MOST_INSERTED = 12;

/**
 * Boosts the best chunk of a file by the file's share of the evidence. A file with several matching
 * chunks is more likely the right one. The best chunk is selected by each chunk's own evidence.
 *
 * @param files the chunks of each file, which are sorted in place
 */
export function boostCoherentFiles<C extends RankCandidate>(files: readonly Scored<C>[][]): void {
  let highest = 0;
  let strongest = 0;
  const sums = files.map((chunks) => {
    const best = bestFirst(chunks);
    let sum = best.score;
    const end = Math.min(chunks.length, WEIGHTS.coherenceChunks);
    for (let at = 1; at < end; at += 1) sum += (chunks[at] as Scored<C>).score;
    highest = Math.max(highest, best.score);
    strongest = Math.max(strongest, sum);
    return sum;
  });
  if (strongest === 0) return;
  files.forEach(([best], file) => {
    if (!best) return;
    const share = (sums[file] as number) / strongest;
    best.score = bump(best.score, WEIGHTS.coherence * highest, share);
  });
}

/**
 * Boosts the best chunk of a file whose chunks together cover most terms, rare ones above all. A
 * sentence needs several terms together, and a chunk seldom has all of them.
 *
 * @param files the chunks of each file, in any order
 * @param strength degree to which the terms of the query belong together: 0–1
 */
export function boostCoveringFiles<C extends RankCandidate>(
  files: readonly Scored<C>[][],
  statistics: CorpusStatistics,
  strength: number,
): void {
  if (strength === 0) return;
  const wanted = termWeights(statistics);
  const bests = files.map(bestOf);
  let highest = 0;
  for (const { score } of bests) highest = Math.max(highest, score);
  files.forEach((chunks, file) => {
    const best = bests[file] as Scored<C>;
    const covered = coveredShare(wanted, (term) => hasAny(chunks, term));
    best.score = bump(best.score, strength * WEIGHTS.coverage * highest, covered);
  });
}

/** Returns the first chunk of a file in rank order. */
function bestOf<C extends RankCandidate>(chunks: readonly Scored<C>[]): Scored<C> {
  let best = chunks[0] as Scored<C>;
  for (const chunk of chunks) if (byRank(chunk, best) < 0) best = chunk;
  return best;
}

/** Sorts the chunks of a file in rank order and returns the first. */
function bestFirst<C extends RankCandidate>(chunks: Scored<C>[]): Scored<C> {
  if (chunks.length > MOST_INSERTED) chunks.sort(byRank);
  else insertInOrder(chunks);
  return chunks[0] as Scored<C>;
}

/** Sorts a few chunks, which are mostly in order: equal to a sort, without its memory. */
function insertInOrder<C extends RankCandidate>(chunks: Scored<C>[]): void {
  for (let next = 1; next < chunks.length; next += 1) {
    const chunk = chunks[next] as Scored<C>;
    let at = next;
    while (at > 0 && byRank(chunks[at - 1] as Scored<C>, chunk) > 0) {
      chunks[at] = chunks[at - 1] as Scored<C>;
      at -= 1;
    }
    chunks[at] = chunk;
  }
}

function hasAny(chunks: readonly Scored<RankCandidate>[], term: number): boolean {
  for (const { candidate } of chunks) if ((candidate.termFrequencies[term] ?? 0) > 0) return true;
  return false;
}

/**
 * Leaves room for other files. A file's second chunk has seven tenths of its score, and each
 * further one three fifths of the factor before it. The decayed value is the reported score.
 *
 * @param files the chunks of each file, which are sorted in place
 * @returns the chunks with a score above 0 in rank order
 */
export function saturateFiles<C extends RankCandidate>(files: readonly Scored<C>[][]): Scored<C>[] {
  const ranked: Scored<C>[] = [];
  // Within a file the decayed values fall in rank order, so a greedy selection equals sorting by
  // them.
  for (const chunks of files) {
    bestFirst(chunks);
    for (let before = 0; before < chunks.length; before += 1) {
      const entry = chunks[before] as Scored<C>;
      if (entry.score <= 0) break;
      if (before > 0)
        entry.score *= WEIGHTS.secondChunk * WEIGHTS.furtherChunkDecay ** (before - 1);
      ranked.push(entry);
    }
  }
  return ranked.sort(byRank);
}
