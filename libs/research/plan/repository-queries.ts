import { analyze } from '#retrieval';

import type { Understanding } from './question.types.js';
import { isFiller } from './question-fillers.js';

/** Limits of GitHub's repository search. */
const MOST_CHARACTERS = 256;
const MOST_WORDS = 6;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_.+#-]{0,60}/gu;

/**
 * Returns up to three queries for GitHub's repository search: names and packages of the question,
 * its rarest words, and fewer of them. They have no qualifiers and no operators, because GitHub
 * allows five of these and the question is foreign text.
 */
export function repositoryQueries({
  question,
  packages,
  identifiers,
  errors,
}: Understanding): string[] {
  const named = [...packages, ...identifiers.map((name) => name.split(/\.|::|#|->/)[0] ?? name)];
  const words = specificWords(question).filter((word) => !errors.includes(word));
  const queries = [
    [...named, ...words].slice(0, MOST_WORDS),
    words.slice(0, MOST_WORDS),
    [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, 2),
  ].map((parts) => cut([...new Set(parts.map(plain))]));
  return [...new Set(queries)].filter((query) => query !== '');
}

/** Returns the words of a question that say more than its form does. */
function specificWords(question: string): string[] {
  const words = (question.match(WORD) ?? []).map((word) => word.replace(/(?<![.-])[.-]+$/, ''));
  return words.filter(
    (word) => !/^(?:AND|OR|NOT)$/.test(word) && !isFiller(word) && analyze(word).length > 0,
  );
}

/** Removes signs that GitHub's search syntax reads. */
function plain(word: string): string {
  return word.replace(/[^\p{L}\p{N}_.+#-]/gu, ' ').trim();
}

function cut(words: readonly string[]): string {
  let query = '';
  for (const word of words) {
    const longer = query === '' ? word : `${query} ${word}`;
    if (longer.length > MOST_CHARACTERS) break;
    query = longer;
  }
  return query;
}
