import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { CHUNK_LIMITS } from './limits.js';
import { TokenCounts } from './token-counts.js';

/**
 * Markers such as `<|endoftext|>` in a file are plain text; by default the library throws on them.
 */
const PLAIN = { disallowedSpecial: new Set<string>() };

const known = new TokenCounts((piece) => countTokens(piece, PLAIN));

/**
 * o200k tokens of `text`. Byte pair encoding is quadratic in the length of a run without a break,
 * so a line longer than {@link CHUNK_LIMITS.tokenizedLineCharacters} is counted in pieces of that
 * size; its count may be off by one a piece.
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

/** The cut, moved back by one where it would part a surrogate pair. */
export function cutBefore(text: string, cut: number): number {
  const unit = text.charCodeAt(cut);
  return cut > 1 && unit >= 0xdc00 && unit <= 0xdfff ? cut - 1 : cut;
}
