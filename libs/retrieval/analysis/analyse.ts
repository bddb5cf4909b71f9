import { scanWords } from './scan-words.js';
import { wordTerms } from './word-terms.js';

/** Names the rules of this folder. Stored in every pack and manifest; terms of different analyzers are never compared. */
export const ANALYZER_ID = 'code-en-v1';

const MAX_CACHED_WORDS = 50_000;
const cache = new Map<string, readonly string[]>();

/** Terms of one word as scanned; remembered, because source code repeats itself. */
export function cachedWordTerms(word: string): readonly string[] {
  const known = cache.get(word);
  if (known) return known;
  if (cache.size >= MAX_CACHED_WORDS) cache.clear();
  const terms = wordTerms(word);
  cache.set(word, terms);
  return terms;
}

/** Terms of a document text, in order, with repeats. */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  scanWords(text, (word) => {
    for (const term of cachedWordTerms(word)) terms.push(term);
  });
  return terms;
}
