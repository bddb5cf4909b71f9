const ENDS_IN_DOUBLED_LETTER = /(\p{L})\1$/u;

/**
 * Light English stem of a lower-case word: plural, `-ing`, `-ed`, a doubled last letter and a final `e` go. Words of four
 * letters or fewer stay. Part of `code-en-v1`: any change needs a new analyzer id.
 */
export function stem(word: string): string {
  if (word.length <= 4) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/[sxzh]es$/.test(word)) return word.slice(0, -2);
  let rest = word;
  if (rest.endsWith('s') && !rest.endsWith('ss') && !rest.endsWith('us')) rest = rest.slice(0, -1);
  if (rest.length > 6 && rest.endsWith('ing')) rest = rest.slice(0, -3);
  else if (rest.length > 5 && rest.endsWith('ed')) rest = rest.slice(0, -2);
  if (rest.length > 3 && ENDS_IN_DOUBLED_LETTER.test(rest) && !/[lse]$/.test(rest)) rest = rest.slice(0, -1);
  if (rest.length > 4 && rest.endsWith('e')) rest = rest.slice(0, -1);
  return rest;
}
