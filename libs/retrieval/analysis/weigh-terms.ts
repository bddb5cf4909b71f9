import { TermDictionary, type WeighedFields } from './term-dictionary.js';

/** The weighted term stream of a chunk. */
export interface WeighedTerms {
  /** Distinct terms, in order of first appearance. */
  readonly terms: readonly string[];
  /** Weighted frequency of each term, at most 255. */
  readonly frequencies: Uint8Array;
  /** Weighted number of terms, not capped. */
  readonly length: number;
}

/** Weighs one chunk; for many chunks, use one {@link TermDictionary}. */
export function weighTerms(fields: WeighedFields): WeighedTerms {
  const dictionary = new TermDictionary();
  const { frequencies, length } = dictionary.weigh(fields);
  return { terms: dictionary.terms, frequencies, length };
}
