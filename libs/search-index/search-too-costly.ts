import { FootnoteError } from '#contracts';

/** The error of a search that is over its budget. It fails alone. @param budgetMs milliseconds of computing */
export function searchTooCostly(budgetMs: number): FootnoteError {
  return new FootnoteError(
    'search_too_costly',
    `The search takes more than ${budgetMs} ms of computing; use fewer or simpler path_patterns, or fewer source_ids`,
  );
}
