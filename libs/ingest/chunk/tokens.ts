import { CHUNK_LIMITS } from './limits.js';
import { O200kCounter } from './o200k-counter.js';
import { TokenCounts } from './token-counts.js';

const counter = new O200kCounter();
const known = new TokenCounts((piece) => counter.count(piece));

/**
 * Returns the number of o200k tokens in `text`. Byte pair encoding is quadratic in the length of a
 * run without a break. A line longer than {@link CHUNK_LIMITS.tokenizedLineCharacters} is therefore
 * counted in pieces of that size. Its count may be off by one per piece.
 */
export function countO200k(text: string): number {
  const step = CHUNK_LIMITS.tokenizedLineCharacters;
  if (text.length <= step) return count(text);
  let total = 0;
  let counted = 0;
  for (let line = 0, lineEnd: number; line < text.length; line = lineEnd) {
    const newline = text.indexOf('\n', line);
    lineEnd = newline === -1 ? text.length : newline + 1;
    if (lineEnd - line <= step) continue;
    total += count(text.slice(counted, line));
    for (counted = line; counted < lineEnd;) {
      const cut = cutBefore(text, Math.min(counted + step, lineEnd));
      total += count(text.slice(counted, cut));
      counted = cut;
    }
  }
  return total + count(text.slice(counted));
}

function count(text: string): number {
  return known.count(text) ?? counter.count(text);
}

/** Returns the cut, moved back by one if it would split a surrogate pair. */
export function cutBefore(text: string, cut: number): number {
  const unit = text.charCodeAt(cut);
  return cut > 1 && unit >= 0xdc00 && unit <= 0xdfff ? cut - 1 : cut;
}
