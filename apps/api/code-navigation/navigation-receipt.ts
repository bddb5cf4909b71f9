import type { NavigationOutcome } from '#search';

import { openCodeReceipt } from '../code-search/code-receipt.js';
import type { ReceiptableCode } from '../code-search/code-receipts.js';
import { filtersOf } from '../search/receipt/sealed-request.js';

/** Returns an answer with the parts of its receipt; names and paths are in the sealed part. */
export function receiptableNavigation(
  outcome: NavigationOutcome,
): ReceiptableCode<NavigationOutcome['answer']> {
  const { request, moment, answer } = outcome;
  return {
    answer,
    moment,
    receipt: openCodeReceipt(outcome),
    typed: { query: answer.query, ...filtersOf(request), navigation: request },
  };
}
