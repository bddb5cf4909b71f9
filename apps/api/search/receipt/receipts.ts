import { Inject, Injectable } from '@nestjs/common';

import type { NoEvidence, QuotaMetric, RateLimit, SearchResponse } from '#contracts';
import { CLOCK, type Clock, KEY_RING, type KeyRing, type Sealer } from '#platform';
import type { SearchOutcome } from '#search';

import type { Caller } from '../../auth/caller.js';
import type { Moment } from '../../history/moments.js';
import { type Charge, QuotaLedger, type Reservation } from '../../quota/quota-ledger.js';
import { dividedReceipt, openReceipt, typedRequest } from './receipt-event.js';
import { sealedConsumption } from './sealed-consumption.js';

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

/** Charges searches: an answer leaves only when its receipt is stored. */
@Injectable()
export class Receipts {
  constructor(
    private readonly ledger: QuotaLedger,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Searches with quota that is reserved for it, and charges the result. A search that fails is not
   * charged.
   *
   * @param conversation its key seals the text of the request. Default: the tenant's does.
   * @throws FootnoteError `quota_exceeded` before the search where none is left, and after it where
   * another process took the rest in between; as {@link issue}.
   */
  async metered<Answer extends SearchResponse>(
    caller: Caller,
    search: () => Promise<SearchOutcome<Answer>>,
    metric: QuotaMetric = 'search',
    conversation?: ReceiptSeal,
  ): Promise<Receipted<Answer | NoEvidence>> {
    const reservation = await this.ledger.reserve({ caller, metric });
    try {
      return await this.issue(caller, await search(), reservation, conversation);
    } finally {
      reservation.release();
    }
  }

  /**
   * @throws FootnoteError `quota_exceeded`, `engine_unavailable` or `storage_full`; there is no
   * answer then.
   */
  async issue<Answer extends SearchResponse>(
    caller: Caller,
    outcome: SearchOutcome<Answer>,
    reservation?: Reservation,
    conversation?: ReceiptSeal,
  ): Promise<Receipted<Answer | NoEvidence>> {
    const { tenantId } = caller;
    const isPast = outcome.moment.asOfSeq !== undefined;
    const receipt = {
      ...openReceipt(outcome),
      ...(conversation && { conversation_id: conversation.conversationId }),
    };
    const { first: open, rest: continuedResults } = dividedReceipt(receipt);
    const keys = conversation?.sealer ?? this.keyRing;
    const sealed = sealedConsumption(keys, tenantId, open, typedRequest(outcome));
    const charge: Charge = {
      at: isPast ? this.clock.now().getTime() : outcome.moment.now,
      consumption: async (...place) => ({ ...(await sealed(...place)), continuedResults }),
    };
    const { id, rateLimit } = await (reservation?.charge(charge) ??
      this.ledger.charge({ caller, metric: 'search' }, charge));
    return { answer: outcome.answer, receiptId: id, rateLimit };
  }
}
