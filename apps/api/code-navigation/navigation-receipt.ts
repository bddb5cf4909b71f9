import type { NavigationOutcome } from '#search';

import type { ReceiptableCode } from '../code-search/code-receipts.js';
import { statedMoment } from '../search/receipt/receipt-event.js';

/** Returns an answer with the parts of its receipt; names and paths are in the sealed part. */
export function receiptableNavigation(
  outcome: NavigationOutcome,
): ReceiptableCode<NavigationOutcome['answer']> {
  const { request, moment, answer, evidence } = outcome;
  const { source_ids, path_patterns, languages } = request;
  return {
    answer,
    moment,
    receipt: {
      kind: 'code',
      parameters: { max_tokens: 0, top_k: request.limit, include_stale: request.include_stale },
      ...statedMoment(moment),
      models: [],
      outcome: evidence.lines > 0 ? 'results' : 'no_evidence',
      sources: [],
      results: [],
      code: evidence,
    },
    typed: {
      query: answer.query,
      ...(source_ids ? { source_ids } : {}),
      ...(path_patterns ? { path_patterns } : {}),
      ...(languages ? { languages } : {}),
      navigation: request,
    },
  };
}
