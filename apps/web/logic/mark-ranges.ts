import type { MarkedPiece } from './mark-terms.js';

/**
 * Splits a line into pieces; ranges of it are matches. Joined, the pieces are the line. A line that
 * is cut shows what is left of a range.
 *
 * @param ranges begin and end in bytes of UTF-8, in order
 */
export function markRanges(
  text: string,
  ranges: readonly (readonly number[])[],
): readonly MarkedPiece[] {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const pieces: MarkedPiece[] = [];
  let shown = 0;
  const push = (end: number, isMatch: boolean) => {
    if (end > shown) pieces.push({ text: decoder.decode(bytes.subarray(shown, end)), isMatch });
    shown = Math.max(shown, end);
  };
  for (const [begin = 0, end = begin] of ranges) {
    push(Math.min(begin, bytes.length), false);
    push(Math.min(end, bytes.length), true);
  }
  push(bytes.length, false);
  return pieces;
}
