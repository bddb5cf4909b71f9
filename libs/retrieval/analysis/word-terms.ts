import { stem } from './stem.js';

/**
 * Index terms of one word. An identifier of several parts (`parseHTTPResponse`, `get_user_ids`) gives the whole, lower-case
 * and unstemmed, then each part of more than one character, stemmed; a plain word gives its stem.
 */
export function wordTerms(word: string): string[] {
  const parts = identifierParts(word);
  if (parts.length === 0) return [];
  if (parts.length === 1) return [stem((parts[0] as string).toLowerCase())];
  const terms = [word.toLowerCase()];
  for (const part of parts) if (part.length > 1) terms.push(stem(part.toLowerCase()));
  return terms;
}

/** Cuts at camel-case humps, `_` and `$`; empty pieces are left out. */
export function identifierParts(word: string): string[] {
  return word
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1_$2')
    .split(/[_$]+/)
    .filter((part) => part !== '');
}
