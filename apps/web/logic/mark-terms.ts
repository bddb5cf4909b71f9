/** A piece of a text that matches the query, or not. */
export interface MarkedPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

const MOST_TERMS = 32;
/** Words that occur in almost every sentence. */
const COMMON = new Set(
  'a an and are as at be by do does for from how in is it of on or that the this to what where which who why with'.split(
    ' ',
  ),
);

/** Returns the words of a query that are worth marking, in lower case; at most 32. */
export function termsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 && !COMMON.has(word)))].slice(
    0,
    MOST_TERMS,
  );
}

/**
 * Splits a text into pieces; words that begin with a term are matches. Joined, the pieces are the
 * text.
 */
export function markTerms(text: string, terms: readonly string[]): readonly MarkedPiece[] {
  if (terms.length === 0) return [{ text, isMatch: false }];
  const pieces: MarkedPiece[] = [];
  let plain = '';
  for (const word of text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? []) {
    const lower = word.toLowerCase();
    if (!terms.some((term) => lower.startsWith(term))) {
      plain += word;
      continue;
    }
    if (plain) pieces.push({ text: plain, isMatch: false });
    pieces.push({ text: word, isMatch: true });
    plain = '';
  }
  if (plain) pieces.push({ text: plain, isMatch: false });
  return pieces;
}
