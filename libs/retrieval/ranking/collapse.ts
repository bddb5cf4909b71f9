import { fileKey } from './file-coherence.js';
import type { RankCandidate, RankedChunk } from './rank.types.js';

/** Keeps the first, in rank order, of chunks with equal content and of overlapping line ranges of one file. */
export function collapseRepeats<C extends RankCandidate>(ranked: readonly RankedChunk<C>[]): RankedChunk<C>[] {
  const contents = new Set<string>();
  const ranges = new Map<string, [start: number, end: number][]>();
  return ranked.filter(({ candidate }) => {
    if (contents.has(candidate.contentHash)) return false;
    const { startLine: start, endLine: end } = candidate;
    if (start !== undefined && end !== undefined) {
      const key = fileKey(candidate);
      const kept = ranges.get(key) ?? [];
      if (kept.some(([from, to]) => start <= to && from <= end && !isPieceOfOneLine(start, end, from, to)))
        return false;
      kept.push([start, end]);
      ranges.set(key, kept);
    }
    contents.add(candidate.contentHash);
    return true;
  });
}

/** Pieces of an over-long line share its number without overlapping. */
function isPieceOfOneLine(start: number, end: number, from: number, to: number): boolean {
  return start === end && from === to;
}
