import type { RankCandidate } from './rank.types.js';
import type { Scored } from './scored.js';

/** Keeps the first, in rank order, of chunks with equal content and of overlapping line ranges of one file. */
export function collapseRepeats<S extends Pick<Scored<RankCandidate>, 'candidate' | 'file'>>(
  ranked: readonly S[],
): S[] {
  const contents = new Set<string>();
  const ranges = new Map<number, [start: number, end: number][]>();
  return ranked.filter(({ candidate, file }) => {
    const { contentHash, startLine: start, endLine: end } = candidate;
    if (contents.has(contentHash)) return false;
    if (start !== undefined && end !== undefined) {
      const kept = ranges.get(file);
      if (kept?.some(([from, to]) => start <= to && from <= end && !isPieceOfOneLine(start, end, from, to)))
        return false;
      if (kept) kept.push([start, end]);
      else ranges.set(file, [[start, end]]);
    }
    contents.add(contentHash);
    return true;
  });
}

/** Pieces of an over-long line share its number without overlapping. */
function isPieceOfOneLine(start: number, end: number, from: number, to: number): boolean {
  return start === end && from === to;
}
