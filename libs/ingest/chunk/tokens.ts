import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { CHUNK_LIMITS } from './limits.js';

/** Markers such as `<|endoftext|>` in a file are plain text; by default the library throws on them. */
const PLAIN = { disallowedSpecial: new Set<string>() };

/**
 * o200k tokens of `text`. Byte pair encoding is quadratic in the length of a run without a break, so a line longer than
 * {@link CHUNK_LIMITS.tokenizedLineCharacters} is counted in pieces of that size; its count may be off by one a piece.
 */
export function countO200k(text: string): number {
  const step = CHUNK_LIMITS.tokenizedLineCharacters;
  if (text.length <= step) return countTokens(text, PLAIN);
  let total = 0;
  let counted = 0;
  for (let line = 0, lineEnd: number; line < text.length; line = lineEnd) {
    const newline = text.indexOf('\n', line);
    lineEnd = newline === -1 ? text.length : newline + 1;
    if (lineEnd - line <= step) continue;
    total += countTokens(text.slice(counted, line), PLAIN);
    for (counted = line; counted < lineEnd;) {
      const cut = cutBefore(text, Math.min(counted + step, lineEnd));
      total += countTokens(text.slice(counted, cut), PLAIN);
      counted = cut;
    }
  }
  return total + countTokens(text.slice(counted), PLAIN);
}

/** The cut, moved back by one where it would part a surrogate pair. */
export function cutBefore(text: string, cut: number): number {
  const unit = text.charCodeAt(cut);
  return cut > 1 && unit >= 0xdc00 && unit <= 0xdfff ? cut - 1 : cut;
}
