import { type RecordedEvent, toTenantCloudEvent, UNDELIVERED_TYPES } from '#contracts';
import { type EventStore, readEventsAt } from '#event-store';
import { type AuditRow, getAuditRecord, listAuditRecords, type ReadModel } from '#read-model';

import type { Endpoint } from './endpoint-book.js';

/** Rows of the trail read at once. */
const PAGE = 20;
/** Requests that concern one endpoint, whatever types it receives. */
const REQUESTS = ['WebhookTestRequested', 'WebhookRedeliveryRequested'];
/** Changes the types of an endpoint for the events that follow. */
const CHANGE = 'WebhookUpdated';

export interface DeliveryQueueDependencies {
  readonly store: Pick<EventStore, 'read'>;
  readonly readModel: Pick<ReadModel, 'ask'>;
}

/** An event to deliver. */
export interface QueuedEvent {
  /** Seq of the event that causes the delivery. */
  readonly seq: number;
  /** Null if the endpoint does not receive it. */
  readonly send: { readonly id: string; readonly type: string; readonly body: string } | null;
}

/**
 * The queue of an endpoint: the tenant's trail after its cursor. So it has no state of its own, and
 * a request for a test or a redelivery is an event in it.
 */
export class DeliveryQueue {
  constructor(private readonly dependencies: DeliveryQueueDependencies) {}

  /** Returns where deliveries to a new endpoint begin; null while the trail does not show it. */
  async startOf({ tenant_id, created_by }: Endpoint): Promise<number | null> {
    const row = await this.dependencies.readModel.ask(getAuditRecord, tenant_id, created_by);
    return row?.seq ?? null;
  }

  /**
   * Returns the next events after a seq, and whether more may follow. They end before a change of
   * the endpoint that is not folded yet, since it decides which types follow.
   */
  async next(
    endpoint: Endpoint,
    after: number,
  ): Promise<{ readonly events: readonly QueuedEvent[]; readonly hasMore: boolean }> {
    const { store, readModel } = this.dependencies;
    const { tenant_id, types } = endpoint;
    const rows = await readModel.ask(listAuditRecords, tenant_id, {
      filter: types ? { types: [...types, ...REQUESTS, CHANGE] } : {},
      order: 'asc',
      after,
      limit: PAGE,
    });
    const wanted = rows.filter(({ type }) => !UNDELIVERED_TYPES.includes(type));
    const read = new Map(
      (await readEventsAt(store, wanted)).map(({ place, event }) => [place.seq, event]),
    );
    const events: QueuedEvent[] = [];
    for (const row of rows) {
      const event = read.get(row.seq);
      if (event && isUnknownChange(endpoint, event)) return { events, hasMore: true };
      events.push({ seq: row.seq, send: event ? await this.sendOf(endpoint, row, event) : null });
    }
    return { events, hasMore: rows.length === PAGE };
  }

  private async sendOf(
    { tenant_id, webhook_id, types }: Endpoint,
    { seq }: AuditRow,
    event: RecordedEvent,
  ): Promise<QueuedEvent['send']> {
    const isOwnRequest = REQUESTS.includes(event.type) && event.data['webhook_id'] === webhook_id;
    if (isOwnRequest && event.type === 'WebhookRedeliveryRequested')
      return this.earlier(tenant_id, String(event.data['event_id']));
    return isOwnRequest || !types || types.includes(event.type) ? sendable(event, seq) : null;
  }

  private async earlier(tenantId: string, eventId: string): Promise<QueuedEvent['send']> {
    const { store, readModel } = this.dependencies;
    const row = await readModel.ask(getAuditRecord, tenantId, eventId);
    if (!row || UNDELIVERED_TYPES.includes(row.type)) return null;
    const [read] = await readEventsAt(store, [row]);
    return read ? sendable(read.event, row.seq) : null;
  }
}

function isUnknownChange({ webhook_id, configured_at }: Endpoint, event: RecordedEvent): boolean {
  const isOwn = event.type === CHANGE && event.data['webhook_id'] === webhook_id;
  return isOwn && event.position > configured_at;
}

function sendable(event: RecordedEvent, seq: number): QueuedEvent['send'] {
  return { id: event.id, type: event.type, body: JSON.stringify(toTenantCloudEvent(event, seq)) };
}
