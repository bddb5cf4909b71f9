import { Inject, Injectable } from '@nestjs/common';

import type {
  Position,
  QuotaMetric,
  Receipt,
  ReceiptResults,
  RecordedEvent,
  StreamName,
} from '#contracts';
import { EVENT_STORE, type EventStore, type ReadEvent, readEvent } from '#event-store';
import { KEY_RING, type KeyRing, revisionOf } from '#platform';
import { type AudiencesAsked, OF_TENANT } from '#search';

import type { Caller } from '../auth/caller.js';
import { ConversationKeys } from '../conversations/conversation-keys.js';
import { notFound, requireId } from '../edge/path-id.js';
import { quotaStream } from '../quota/quota-ledger.js';
import { openRequest, type TypedRequest } from '../search/receipt/sealed-request.js';

/** Kinds of requests with receipts. */
const RECEIPTED = ['search', 'chat'] as const satisfies readonly QuotaMetric[];

/** A receipt as the log has it, with what was typed. */
export interface StoredReceipt {
  readonly id: string;
  readonly tenantId: string;
  /** The search's clock, milliseconds since the epoch. */
  readonly at: number;
  /** Owners of the searched sources. */
  readonly audiences: AudiencesAsked;
  readonly receipt: Omit<Receipt, 'live_at' | 'links_at'> & {
    readonly live_at: Position | null;
    readonly links_at: Position | null;
  };
  /** Null where the key was destroyed. */
  readonly typed: TypedRequest | null;
}

/**
 * Finds receipts in the log: an id shows its revision in the tenant's own stream, so that no index
 * of them is needed.
 */
@Injectable()
export class StoredReceipts {
  constructor(
    private readonly conversations: ConversationKeys,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /**
   * @throws FootnoteError `receipt_not_found`, also for another tenant's and a malformed id, and
   * for what was asked in a conversation that is not the caller's.
   */
  async get(
    { tenantId, principal }: Pick<Caller, 'tenantId' | 'principal'>,
    id: string,
  ): Promise<StoredReceipt> {
    const revision = revisionOf(requireId('receipt_not_found', id));
    const found = await this.find(tenantId, id, revision);
    if (!found) throw notFound('receipt_not_found', id);
    const { stream, recorded, receipt } = found;
    const { conversation_id } = receipt;
    const conversation =
      conversation_id === undefined
        ? undefined
        : await this.conversations.of(tenantId, conversation_id);
    if (conversation_id !== undefined) {
      const userId = principal?.kind === 'user' ? principal.userId : undefined;
      if (!conversation || conversation.userId !== userId) throw notFound('receipt_not_found', id);
    }
    const rest = await this.read(
      stream,
      revision + 1n,
      receipt.request_parts + (receipt.result_parts ?? 0),
    );
    const continued = rest.map((part) => readEvent(part));
    const parts = [receipt.request, ...continued.map(sealedOf)].flatMap((part) => part ?? []);
    return {
      id,
      tenantId,
      at: Date.parse(recorded.metadata.occurred_at),
      audiences: receipt.audiences ?? OF_TENANT,
      receipt: {
        ...receipt,
        results: [...receipt.results, ...continued.flatMap(resultsOf)],
        live_at: receipt.live_at as Position | null,
        links_at: (receipt.links_at ?? null) as Position | null,
      },
      typed: await openRequest(
        conversation?.sealer ?? this.keyRing,
        { tenantId, boundTo: `${stream}/${id}` },
        parts,
      ),
    };
  }

  /** Its id says where in a stream it is, and not in the stream of which metric. */
  private async find(tenantId: string, id: string, revision: bigint) {
    for (const metric of RECEIPTED) {
      const stream = quotaStream(tenantId, metric);
      const [recorded] = await this.read(stream, revision, 1);
      const event = recorded?.id === id ? readEvent(recorded) : undefined;
      if (!recorded || event?.type !== 'QuotaConsumed' || !event.data.receipt) continue;
      return { stream, recorded, receipt: event.data.receipt };
    }
    return undefined;
  }

  private async read(stream: StreamName, from: bigint, limit: number): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    if (limit === 0) return events;
    for await (const event of this.store.read(stream, { from, limit })) events.push(event);
    return events;
  }
}

function resultsOf(event: ReadEvent | undefined): ReceiptResults {
  return event?.type === 'ReceiptResultsContinued' ? event.data.results : [];
}

function sealedOf(event: ReadEvent | undefined): string | null {
  return event?.type === 'ReceiptContinued' ? event.data.sealed : null;
}
