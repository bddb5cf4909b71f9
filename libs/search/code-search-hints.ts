import { type QueryNode, termsOf } from '#code-search';

import type { CodeSearchRequest } from './code-search-scope.js';

/** Signs of a regular expression in a pattern that was matched literally. */
const LOOKS_LIKE_REGEX = /\\[bdswBDSW]|\.[*+?]|\w\|\w|\][*+?]|^\^|\$$|\(\?[:i]/;

/**
 * Returns likely mistakes of a request that found nothing.
 * @param root the query of the request.
 */
export function hintsFor(request: CodeSearchRequest, root: QueryNode, sources: number): string[] {
  const { regex, case_sensitive, word, path_patterns, languages } = request;
  const hints: string[] = [];
  if (sources === 0) hints.push('No source is in scope; check source_ids and the policy');
  if (request.query !== undefined) hints.push(...queryHints(root));
  const { pattern = '' } = request;
  if (!regex && LOOKS_LIKE_REGEX.test(pattern))
    hints.push('The pattern was matched literally; set regex to true for a regular expression');
  if (case_sensitive && /\p{Lu}/u.test(pattern))
    hints.push('The search was case-sensitive; set case_sensitive to false to ignore case');
  if (pattern !== '' && word)
    hints.push('Only whole words match; set word to false to match parts of words');
  if (path_patterns?.length || languages?.length)
    hints.push('Only documents of path_patterns and languages were searched');
  return hints;
}

function queryHints(root: QueryNode): string[] {
  const terms = termsOf(root);
  const literal = terms.find(
    ({ expression: { pattern, regex } }) => !regex && LOOKS_LIKE_REGEX.test(pattern),
  );
  const hints: string[] = [];
  if (literal) {
    const { pattern } = literal.expression;
    hints.push(`${pattern} was matched literally; write /${pattern}/ for a regular expression`);
  }
  if (terms.some(({ expression }) => expression.caseSensitive))
    hints.push('Terms with an upper-case letter are case-sensitive; add case:no to ignore case');
  if (terms.filter(({ field }) => field === 'content').length > 1)
    hints.push('All words must be in one document; use or, or put a phrase in quotes');
  return hints;
}
