import { QueryError, type ReadQuery, readQuery } from '#code-search';
import { validationFailed } from '#contracts';

import type { CodeSearchRequest } from './code-search-scope.js';

/**
 * Returns the query of a request: of its query language, or of its pattern.
 * @throws FootnoteError `validation_failed` unless it has exactly one of them, or for a query that
 * cannot be read.
 */
export function queryOf({
  pattern,
  query,
  regex,
  case_sensitive: caseSensitive,
  word,
}: CodeSearchRequest): ReadQuery {
  if (query !== undefined) {
    if (pattern !== undefined) throw problem('query', 'must not be given with pattern');
    return parsed(query);
  }
  if (pattern === undefined) throw problem('pattern', 'is required; give pattern or query');
  const expression = { pattern, regex, caseSensitive, word };
  const root = { kind: 'term', field: 'content', expression, at: 0 } as const;
  return { root, listsSources: false };
}

function parsed(query: string): ReadQuery {
  try {
    return readQuery(query);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw problem('query', `${error.message} (at character ${error.position + 1})`);
  }
}

function problem(field: string, message: string) {
  return validationFailed([{ field, message }]);
}
