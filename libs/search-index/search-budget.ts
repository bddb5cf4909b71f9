/**
 * Computing time of one search, in milliseconds: embedded in each searching thread, in OpenSearch
 * for its filter.
 */
export const SEARCH_BUDGET_MS = 2_000;
