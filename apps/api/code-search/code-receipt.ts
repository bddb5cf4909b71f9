import type { Receipt, ReceiptCode } from '#contracts';
import type { CodeSearchOutcome, CodeSearchRequest, NavigationOutcome } from '#search';

import { type OpenReceipt, statedMoment } from '../search/receipt/receipt-event.js';
import { filtersOf, type TypedRequest } from '../search/receipt/sealed-request.js';
import type { ReceiptableCode } from './code-receipts.js';

/** Returns the parts of a receipt of a code search. */
export function receiptableSearch(outcome: CodeSearchOutcome): ReceiptableCode {
  const { moment, request } = outcome;
  return { moment, receipt: openCodeReceipt(outcome), typed: typedCodeRequest(request) };
}

/** Returns the receipt of an answer about code but for what is sealed. */
export function openCodeReceipt({
  request,
  moment,
  evidence,
}: Pick<CodeSearchOutcome | NavigationOutcome, 'request' | 'moment' | 'evidence'>): OpenReceipt {
  return {
    kind: 'code',
    parameters: {
      max_tokens: ('max_tokens' in request && request.max_tokens) || 0,
      top_k: request.limit,
      include_stale: request.include_stale,
    },
    ...statedMoment(moment),
    models: [],
    outcome: evidence.lines > 0 ? 'results' : 'no_evidence',
    sources: [],
    results: [],
    code: evidence,
  };
}

/** Returns the typed or chosen values, which no event contains unencrypted. */
function typedCodeRequest(request: CodeSearchRequest): TypedRequest {
  const { pattern = '', query, regex, case_sensitive, word, context_lines, cursor } = request;
  return {
    query: query ?? pattern,
    ...filtersOf(request),
    code: {
      regex,
      case_sensitive,
      word,
      context_lines,
      ...(cursor ? { cursor } : {}),
      ...(query === undefined ? {} : { is_query: true }),
    },
  };
}

/** Returns the request of a receipt; undefined if it is not of a code search. */
export function codeRequestOf(
  { parameters }: Pick<Receipt, 'parameters'>,
  { query, code, ...filters }: TypedRequest,
  timeoutMs: number,
): CodeSearchRequest | undefined {
  if (!code) return undefined;
  const { is_query, ...options } = code;
  return {
    ...(is_query ? { query } : { pattern: query }),
    ...options,
    ...filtersOf(filters),
    include_stale: parameters.include_stale,
    limit: parameters.top_k,
    ...(parameters.max_tokens > 0 && { max_tokens: parameters.max_tokens }),
    timeout_ms: timeoutMs,
  };
}

/** Reports whether a repeated search found what the receipt recorded. */
export function isSameEvidence(then: ReceiptCode, now: ReceiptCode): boolean {
  return (
    then.digest === now.digest &&
    then.documents === now.documents &&
    then.partial_lines === now.partial_lines &&
    then.complete === now.complete
  );
}
