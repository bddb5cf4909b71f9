import type { NavigationOutcome } from '#search';

import { openCodeReceipt } from '../code-search/code-receipt.js';
import type { ReceiptableCode } from '../code-search/code-receipts.js';
import { filtersOf } from '../search/receipt/sealed-request.js';

/** Returns the parts of a receipt of an answer; names and paths are in the sealed part. */
export function receiptableNavigation(outcome: NavigationOutcome): ReceiptableCode {
  const { request, moment, answer } = outcome;
  return {
    moment,
    receipt: openCodeReceipt(outcome),
    typed: {
      query: answer.query,
      ...filtersOf(request),
      navigation: request,
      ...(outcome.end ? { references_end: outcome.end } : {}),
      ...(outcome.tables.length > 0 ? { tables: outcome.tables } : {}),
    },
  };
}
