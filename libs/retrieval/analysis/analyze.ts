import { remember } from '../bounded-cache.js';
import { scanWords } from './scan-words.js';

/**
 * Identity of the rules of this folder. Stored in every pack and manifest; terms of different
 * analyzers are never compared.
 */
export const ANALYZER_ID = 'code-en-v1';

const MAX_CACHED_WORDS = 50_000;
const ENDS_IN_DOUBLED_LETTER = /(\p{L})\1$/u;

/** Returns the terms of one word as scanned; cached, because source code repeats itself. */
export const cachedWordTerms: (word: string) => readonly string[] = remember(
  wordTerms,
  MAX_CACHED_WORDS,
);

/** Returns the terms of a document text, in order, with repeats. */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  scanWords(text, (word) => {
    for (const term of cachedWordTerms(word)) terms.push(term);
  });
  return terms;
}

/**
 * Returns the index terms of one word. An identifier of several parts (`parseHTTPResponse`,
 * `get_user_ids`) first gives the whole, lower-case and unstemmed. Then follows each part of more
 * than one character, stemmed. A plain word gives its stem.
 */
function wordTerms(word: string): string[] {
  const parts = splitIdentifier(word);
  if (parts.length === 0) return [];
  if (parts.length === 1) return [stem((parts[0] as string).toLowerCase())];
  const terms = [word.toLowerCase()];
  for (const part of parts) if (part.length > 1) terms.push(stem(part.toLowerCase()));
  return terms;
}

/** Cuts at camel-case humps, `_` and `$`; empty pieces are left out. */
export function splitIdentifier(word: string): string[] {
  return word
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_')
    .split(/[_$]+/)
    .filter((part) => part !== '');
}

/**
 * Returns the light English stem of a lower-case word. Plural, `-ing`, `-ed`, a doubled last letter
 * and a final `e` are removed. Words of four letters or fewer stay. Part of `code-en-v1`: any
 * change needs a new analyzer id.
 */
function stem(word: string): string {
  if (word.length <= 4) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/[sxzh]es$/.test(word)) return word.slice(0, -2);
  let rest = word;
  if (rest.endsWith('s') && !rest.endsWith('ss') && !rest.endsWith('us')) rest = rest.slice(0, -1);
  if (rest.length > 6 && rest.endsWith('ing')) rest = rest.slice(0, -3);
  else if (rest.length > 5 && rest.endsWith('ed')) rest = rest.slice(0, -2);
  if (rest.length > 3 && ENDS_IN_DOUBLED_LETTER.test(rest) && !/[lse]$/.test(rest))
    rest = rest.slice(0, -1);
  if (rest.length > 4 && rest.endsWith('e')) rest = rest.slice(0, -1);
  return rest;
}
