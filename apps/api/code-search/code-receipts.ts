import { Inject, Injectable } from '@nestjs/common';

import { KEY_RING, type KeyRing } from '#platform';
import type { AudiencesAsked, SearchMoment } from '#search';

import type { Caller } from '../auth/caller.js';
import { type Charge, QuotaLedger } from '../quota/quota-ledger.js';
import { PresentMoment } from '../search/present-moment.js';
import type { OpenReceipt } from '../search/receipt/receipt-event.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { sealedConsumption } from '../search/receipt/sealed-consumption.js';
import type { TypedRequest } from '../search/receipt/sealed-request.js';
import { SearchConcurrency } from '../search/search-concurrency.js';

/** The parts of the receipt of an answer about code. */
export interface ReceiptableCode {
  readonly moment: SearchMoment;
  readonly receipt: OpenReceipt;
  readonly typed: TypedRequest;
}

/** Runs requests about code: an answer leaves only when it is charged and its receipt stored. */
@Injectable()
export class CodeReceipts {
  constructor(
    private readonly ledger: QuotaLedger,
    private readonly present: PresentMoment,
    private readonly places: SearchConcurrency,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /**
   * Searches the caller's live sources with quota that is reserved for it. The result is charged as
   * one search; a search that fails is not charged.
   * @param search takes a function that returns the present moment.
   * @param audiencesOf returns what the search speaks as, and may first wait for content to be
   * indexed; it holds no place among running searches. Default: the tenant with what it links.
   * @throws FootnoteError `quota_exceeded`, `engine_unavailable` or `storage_full`; there is no
   * answer then.
   */
  async metered<Outcome extends { readonly answer: unknown }>(
    caller: Caller,
    search: (momentOf: () => SearchMoment) => Promise<Outcome>,
    receiptable: (outcome: Outcome) => ReceiptableCode,
    audiencesOf?: () => Promise<AudiencesAsked>,
  ): Promise<Receipted<Outcome['answer']>> {
    const { tenantId } = caller;
    const reservation = await this.ledger.reserve({ caller, metric: 'search' });
    try {
      const audiences = await audiencesOf?.();
      const find = () => search(() => this.present.of(tenantId, audiences));
      const outcome = await this.places.run(tenantId, find);
      const charge = this.chargeFor(tenantId, receiptable(outcome));
      const { id, rateLimit } = await reservation.charge(charge);
      return { answer: outcome.answer, receiptId: id, rateLimit };
    } finally {
      reservation.release();
    }
  }

  private chargeFor(tenantId: string, { moment, receipt, typed }: ReceiptableCode): Charge {
    return {
      at: moment.now,
      consumption: sealedConsumption(this.keyRing, tenantId, receipt, typed),
    };
  }
}
