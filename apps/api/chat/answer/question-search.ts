import type { ChatBody } from '#contracts/http/index';

import type { SearchRequest } from '../../search/answer/search-request.js';

/**
 * The search whose results an answer may rest on.
 * @param standalone the question in words that need no earlier turn, where it was asked in others
 * @param historyTokens what earlier turns take of the budget; passages have the rest
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
