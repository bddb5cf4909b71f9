import type { ChatBody } from '#contracts/http/index';
import type { SearchRequest } from '#search';

/**
 * Returns the search whose results an answer may cite.
 *
 * @param standalone the question in words that need no earlier turn, if it was rewritten
 * @param historyTokens tokens of the budget for earlier turns; passages have the rest
 */
export function questionSearch(
  { query, top_k, max_context_tokens }: Pick<ChatBody, 'query' | 'top_k' | 'max_context_tokens'>,
  standalone?: string,
  historyTokens = 0,
): SearchRequest {
  return {
    query: standalone ?? query,
    top_k,
    max_tokens: max_context_tokens - historyTokens,
    include_stale: true,
  };
}
