import type { SearchResult } from '#contracts';
import { fitToBudget } from '#retrieval';

/**
 * Fits results to the budget. The token counter is loaded only when a result has to be cut: it
 * takes memory and a moment.
 */
export async function withinBudget(
  results: readonly SearchResult[],
  maxTokens: number,
): Promise<SearchResult[]> {
  const tooBig = (results[0]?.token_count ?? 0) > maxTokens;
  const count = tooBig ? await tokenCounter() : () => 0;
  return fitToBudget(results, maxTokens, count);
}

/** Counts o200k tokens, as chunks are counted when they are indexed. */
export async function tokenCounter(): Promise<(text: string) => number> {
  return (await import('#ingest/chunk/tokens')).countO200k;
}
