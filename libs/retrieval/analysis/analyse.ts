import { remember } from '../bounded-cache.js';
import { scanWords } from './scan-words.js';
import { wordTerms } from './word-terms.js';

/** Names the rules of this folder. Stored in every pack and manifest; terms of different analyzers are never compared. */
export const ANALYZER_ID = 'code-en-v1';

const MAX_CACHED_WORDS = 50_000;

/** Terms of one word as scanned; remembered, because source code repeats itself. */
export const cachedWordTerms: (word: string) => readonly string[] = remember(wordTerms, MAX_CACHED_WORDS);

/** Terms of a document text, in order, with repeats. */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  scanWords(text, (word) => {
    for (const term of cachedWordTerms(word)) terms.push(term);
  });
  return terms;
}
