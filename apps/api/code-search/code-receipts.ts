import { Inject, Injectable } from '@nestjs/common';

import type { CodeSearchResponseView } from '#contracts/http/index';
import { KEY_RING, type KeyRing } from '#platform';
import type { CodeSearchOutcome } from '#search';

import type { Caller } from '../auth/caller.js';
import { type Charge, QuotaLedger } from '../quota/quota-ledger.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { sealedConsumption } from '../search/receipt/sealed-consumption.js';
import { openCodeReceipt, typedCodeRequest } from './code-receipt.js';

/** Charges code searches: an answer leaves only when its receipt is stored. */
@Injectable()
export class CodeReceipts {
  constructor(
    private readonly ledger: QuotaLedger,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /**
   * Searches with quota that is reserved for it, and charges the result. A search that fails is not
   * charged.
   * @throws FootnoteError `quota_exceeded`, `engine_unavailable` or `storage_full`; there is no
   * answer then.
   */
  async metered(
    caller: Caller,
    search: () => Promise<CodeSearchOutcome>,
  ): Promise<Receipted<CodeSearchResponseView>> {
    const reservation = await this.ledger.reserve({ caller, metric: 'search' });
    try {
      const outcome = await search();
      const { id, rateLimit } = await reservation.charge(this.chargeFor(caller, outcome));
      return { answer: outcome.answer, receiptId: id, rateLimit };
    } finally {
      reservation.release();
    }
  }

  private chargeFor({ tenantId }: Caller, outcome: CodeSearchOutcome): Charge {
    const typed = typedCodeRequest(outcome.request);
    return {
      at: outcome.moment.now,
      consumption: sealedConsumption(this.keyRing, tenantId, openCodeReceipt(outcome), typed),
    };
  }
}
