import { Inject, Injectable } from '@nestjs/common';

import type { NoEvidence, QuotaMetric, SearchResponse } from '#contracts';
import { KEY_RING, type KeyRing } from '#platform';

import type { Caller } from '../../auth/caller.js';
import { QuotaLedger } from '../../quota/quota-ledger.js';
import type { SearchOutcome } from '../answer/search-outcome.js';
import { openReceipt, roomFor, typedRequest } from './receipt-event.js';
import { sealRequest } from './sealed-request.js';

/** An answer with the id of its receipt. */
export interface Receipted<Answer> {
  readonly answer: Answer;
  readonly receiptId: string;
}

/** Charges searches: an answer leaves only when its receipt is stored. */
@Injectable()
export class Receipts {
  constructor(
    private readonly ledger: QuotaLedger,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /** @throws FootnoteError `engine_unavailable` or `storage_full`; there is no answer then. */
  issue<Answer extends SearchResponse>(
    caller: Caller,
    outcome: SearchOutcome<Answer>,
  ): Promise<Receipted<Answer | NoEvidence>> {
    return this.charged(caller, 'search', outcome);
  }

  /** The same for what an answer in words will rest on, before it is given. @param question as it was typed */
  issueChat(caller: Caller, outcome: SearchOutcome, question: string): Promise<Receipted<SearchResponse | NoEvidence>> {
    const asked = { kind: 'chat' as const, request: outcome.asked.request, question };
    return this.charged(caller, 'chat', { ...outcome, asked });
  }

  private async charged<Answer extends SearchResponse>(
    caller: Caller,
    metric: QuotaMetric,
    outcome: SearchOutcome<Answer>,
  ): Promise<Receipted<Answer | NoEvidence>> {
    const { tenantId } = caller;
    const open = openReceipt(outcome);
    const room = roomFor(open);
    const { id } = await this.ledger.charge({
      caller,
      metric,
      at: outcome.moment.now,
      consumption: async (stream, consumptionId) => {
        const boundTo = `${stream}/${consumptionId}`;
        const place = { tenantId, boundTo };
        const { first, rest } = await sealRequest(this.keyRing, place, typedRequest(outcome.asked), room);
        return { amount: 1, receipt: { ...open, request: first, request_parts: rest.length }, continued: rest };
      },
    });
    return { answer: outcome.answer, receiptId: id };
  }
}
