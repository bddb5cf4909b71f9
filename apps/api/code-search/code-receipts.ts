import { Inject, Injectable } from '@nestjs/common';

import { KEY_RING, type KeyRing } from '#platform';
import type { SearchMoment } from '#search';

import type { Caller } from '../auth/caller.js';
import { type Charge, QuotaLedger } from '../quota/quota-ledger.js';
import type { OpenReceipt } from '../search/receipt/receipt-event.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { sealedConsumption } from '../search/receipt/sealed-consumption.js';
import type { TypedRequest } from '../search/receipt/sealed-request.js';

/** An answer about code, with the parts of its receipt. */
export interface ReceiptableCode<Answer> {
  readonly answer: Answer;
  readonly moment: SearchMoment;
  readonly receipt: OpenReceipt;
  readonly typed: TypedRequest;
}

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
  async metered<Answer>(
    caller: Caller,
    search: () => Promise<ReceiptableCode<Answer>>,
  ): Promise<Receipted<Answer>> {
    const reservation = await this.ledger.reserve({ caller, metric: 'search' });
    try {
      const outcome = await search();
      const { id, rateLimit } = await reservation.charge(this.chargeFor(caller, outcome));
      return { answer: outcome.answer, receiptId: id, rateLimit };
    } finally {
      reservation.release();
    }
  }

  private chargeFor({ tenantId }: Caller, outcome: ReceiptableCode<unknown>): Charge {
    const { moment, receipt, typed } = outcome;
    return {
      at: moment.now,
      consumption: sealedConsumption(this.keyRing, tenantId, receipt, typed),
    };
  }
}
