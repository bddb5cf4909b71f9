import { Inject, Injectable } from '@nestjs/common';

import type { NoEvidence, QuotaMetric, RateLimit, SearchResponse } from '#contracts';
import { CLOCK, type Clock, KEY_RING, type KeyRing, type Sealer } from '#platform';
import type { SearchEvidence, SearchOutcome } from '#search';

import type { Caller } from '../../auth/caller.js';
import type { Moment } from '../../history/moments.js';
import { PrepaidWork } from '../../quota/prepaid-work.js';
import { type Charge, QuotaLedger } from '../../quota/quota-ledger.js';
import { dividedReceipt, openReceipt, typedRequest } from './receipt-event.js';
import { sealedConsumption } from './sealed-consumption.js';
import { SearchCharge } from './search-charge.js';

/** The key of a conversation, which seals the typed text of its receipts. */
export interface ReceiptSeal {
  readonly conversationId: string;
  readonly sealer: Sealer;
}

/** An answer with the id of its receipt. */
export interface Receipted<Answer> {
  readonly answer: Answer;
  readonly receiptId: string;
  /** The rest of the quota; null if it is not limited. */
  readonly rateLimit: RateLimit | null;
  /** The past moment that was searched; absent for the present. */
  readonly moment?: Moment;
}

/**
 * Charges searches: an answer leaves only when its receipt is stored. The receipt is appended as
 * soon as chunks and scores are certain, while the texts are read.
 */
@Injectable()
export class Receipts {
  constructor(
    private readonly ledger: QuotaLedger,
    private readonly prepaid: PrepaidWork,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Searches with quota that is reserved for it, and charges the result. A search that fails is not
   * charged: what was charged before it failed is returned.
   *
   * @param search may report its evidence before the outcome; see `HybridSearchOptions`
   * @param conversation its key seals the text of the request. Default: the tenant's does.
   * @throws FootnoteError `quota_exceeded` before the search where none is left, and after it where
   * another process took the rest in between; `engine_unavailable` or `storage_full`. There is no
   * answer then.
   */
  async metered<Answer extends SearchResponse>(
    caller: Caller,
    search: (onEvidence: (evidence: SearchEvidence) => void) => Promise<SearchOutcome<Answer>>,
    metric: QuotaMetric = 'search',
    conversation?: ReceiptSeal,
  ): Promise<Receipted<Answer | NoEvidence>> {
    const order = { caller, metric };
    const reservation = await this.ledger.reserve(order);
    let isReserved = true;
    const charge = new SearchCharge({
      charge: (evidence) => {
        const what = this.chargeOf(caller, evidence, conversation);
        if (!isReserved) return this.ledger.charge(order, what);
        isReserved = false;
        return reservation.charge(what);
      },
      giveBack: (id) => this.prepaid.giveBackOrLog(order, id),
    });
    try {
      const outcome = await search((evidence) => charge.begin(evidence));
      const { id, rateLimit } = await charge.settle(outcome);
      return { answer: outcome.answer, receiptId: id, rateLimit };
    } catch (error) {
      await charge.cancel();
      throw error;
    } finally {
      reservation.release();
    }
  }

  private chargeOf(
    { tenantId }: Caller,
    evidence: SearchEvidence,
    conversation?: ReceiptSeal,
  ): Charge {
    const isPast = evidence.moment.asOfSeq !== undefined;
    const receipt = {
      ...openReceipt(evidence),
      ...(conversation && { conversation_id: conversation.conversationId }),
    };
    const { first: open, rest: continuedResults } = dividedReceipt(receipt);
    const keys = conversation?.sealer ?? this.keyRing;
    const sealed = sealedConsumption(keys, tenantId, open, typedRequest(evidence));
    return {
      at: isPast ? this.clock.now().getTime() : evidence.moment.now,
      consumption: async (...place) => ({ ...(await sealed(...place)), continuedResults }),
    };
  }
}
