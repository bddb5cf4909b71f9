import { MOST_COLLECTED_CODE_LINES } from '#contracts/http/index';
import type { CodeSearchRequest } from '#search';

/** Reports whether an answer may have more lines than are collected before it is sent. */
export function isLongCodeAnswer({
  limit,
  max_tokens: maxTokens,
}: Pick<CodeSearchRequest, 'limit' | 'max_tokens'>): boolean {
  // Tokens bound an answer of any limit.
  return limit > MOST_COLLECTED_CODE_LINES && maxTokens === undefined;
}
