import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { CHUNK_LIMITS } from './limits.js';
import { TokenCounts } from './token-counts.js';

/**
 * Options that treat markers such as `<|endoftext|>` in a file as plain text; by default the
 * library throws.
 */
const PLAIN = { disallowedSpecial: new Set<string>() };

const known = new TokenCounts((piece) => countTokens(piece, PLAIN));

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
  return known.count(text) ?? countTokens(text, PLAIN);
}

/** Returns the cut, moved back by one if it would split a surrogate pair. */
export function cutBefore(text: string, cut: number): number {
  const unit = text.charCodeAt(cut);
  return cut > 1 && unit >= 0xdc00 && unit <= 0xdfff ? cut - 1 : cut;
}
