import { coveredShare, termWeights } from './lexical-score.js';
import type { CorpusStatistics } from './rank.types.js';
import type { RankTable } from './rank-table.js';
import { bump } from './scored.js';
import { sortByRank } from './sort-by-rank.js';
import { WEIGHTS } from './weights.js';

/**
 * Boosts the best chunk of a file by the file's share of the evidence. A file with several matching
 * chunks is more likely the right one. The best chunk is selected by each chunk's own evidence.
 */
export function boostCoherentFiles(table: RankTable): void {
  const { fileCount, starts, members, score } = table;
  const sums = table.input.memory.floats(fileCount);
  let highest = 0;
  let strongest = 0;
  for (let file = 0; file < fileCount; file += 1) {
    const start = starts[file] as number;
    const end = starts[file + 1] as number;
    sortByRank(table, members, start, end);
    const best = score[members[start] as number] as number;
    let sum = best;
    const last = Math.min(end, start + WEIGHTS.coherenceChunks);
    for (let at = start + 1; at < last; at += 1) sum += score[members[at] as number] as number;
    highest = Math.max(highest, best);
    strongest = Math.max(strongest, sum);
    sums[file] = sum;
  }
  if (strongest === 0) return;
  for (let file = 0; file < fileCount; file += 1) {
    const best = members[starts[file] as number] as number;
    const share = (sums[file] as number) / strongest;
    score[best] = bump(score[best] as number, WEIGHTS.coherence * highest, share);
  }
}

/**
 * Boosts the best chunk of a file whose chunks together cover most terms, rare ones above all. A
 * sentence needs several terms together, and a chunk seldom has all of them.
 *
 * @param strength degree to which the terms of the query belong together: 0–1
 */
export function boostCoveringFiles(
  table: RankTable,
  statistics: CorpusStatistics,
  strength: number,
): void {
  if (strength === 0) return;
  const { fileCount, score } = table;
  const wanted = termWeights(statistics);
  const bests = table.input.memory.numbers(fileCount);
  let highest = 0;
  for (let file = 0; file < fileCount; file += 1) {
    const best = bestOf(table, file);
    bests[file] = best;
    highest = Math.max(highest, score[best] as number);
  }
  for (let file = 0; file < fileCount; file += 1) {
    const best = bests[file] as number;
    const covered = coveredShare(wanted, (term) => hasTerm(table, file, term));
    score[best] = bump(score[best] as number, strength * WEIGHTS.coverage * highest, covered);
  }
}

/** Returns the first chunk of a file in rank order. */
function bestOf(table: RankTable, file: number): number {
  const { starts, members } = table;
  const start = starts[file] as number;
  let best = members[start] as number;
  for (let at = start + 1; at < (starts[file + 1] as number); at += 1)
    if (table.isBefore(members[at] as number, best)) best = members[at] as number;
  return best;
}

/** Returns whether a chunk of a file has a term. */
function hasTerm({ starts, members, input }: RankTable, file: number, term: number): boolean {
  const { terms, frequencies } = input;
  if (term >= terms) return false;
  for (let at = starts[file] as number; at < (starts[file + 1] as number); at += 1)
    if ((frequencies[(members[at] as number) * terms + term] as number) > 0) return true;
  return false;
}

/**
 * Leaves room for other files. A file's second chunk has seven tenths of its score, and each
 * further one three fifths of the factor before it. The decayed value is the reported score.
 *
 * @returns the chunks with a score above 0 in rank order
 */
export function saturateFiles(table: RankTable): Uint32Array {
  const { fileCount, starts, members, score } = table;
  const ranked = table.input.memory.numbers(members.length);
  let count = 0;
  // Within a file the decayed values fall in rank order, so a greedy selection equals sorting by
  // them.
  for (let file = 0; file < fileCount; file += 1) {
    const start = starts[file] as number;
    const end = starts[file + 1] as number;
    sortByRank(table, members, start, end);
    for (let at = start; at < end; at += 1) {
      const chunk = members[at] as number;
      const own = score[chunk] as number;
      if (own <= 0) break;
      if (at > start)
        score[chunk] = own * (WEIGHTS.secondChunk * WEIGHTS.furtherChunkDecay ** (at - start - 1));
      ranked[count++] = chunk;
    }
  }
  return sortByRank(table, ranked.subarray(0, count));
}
