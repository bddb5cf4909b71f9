import { FootnoteError } from '#contracts';

import { SEARCH_BUDGET_MS } from './search-budget.js';

/** Returns the error of a search over its budget. Only that search fails. */
export function searchTooCostly(): FootnoteError {
  return new FootnoteError(
    'search_too_costly',
    `The search takes more than ${SEARCH_BUDGET_MS} ms of computing; use fewer or simpler path_patterns, or fewer source_ids`,
  );
}
