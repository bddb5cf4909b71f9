import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { WebhookDeliveryEvent } from '#contracts';
import type { WebhookDeliveryList, WebhookDeliveryView } from '#contracts/http/index';
import { EVENT_STORE, type EventStore, readEvent } from '#event-store';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** Events of the deliveries' stream on a page: each has at most 20 deliveries. */
const EVENTS_PER_PAGE = 10;
/** Age at which an attempt expires from the delivery log. */
const SHOWN_FOR_MS = 7 * 24 * 60 * 60_000;

/** Returns attempts of the last seven days to deliver to an endpoint, newest first. */
export class ListDeliveries extends Query<WebhookDeliveryList> {
  constructor(
    readonly caller: Caller,
    readonly webhookId: string,
    readonly before: number | undefined,
  ) {
    super();
  }
}

@Handles(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws FootnoteError `webhook_not_found`. */
  async execute({ caller, webhookId, before }: ListDeliveries): Promise<WebhookDeliveryList> {
    const { webhook_id } = await this.endpoints.find(caller.tenantId, webhookId);
    if (before === 0) return { deliveries: [], next: null };
    const oldest = new Date(this.clock.now().getTime() - SHOWN_FOR_MS).toISOString();
    const deliveries: WebhookDeliveryView[] = [];
    let next: number | null = null;
    for await (const recorded of this.store.read(`webhookdeliveries-${webhook_id}`, {
      backwards: true,
      limit: EVENTS_PER_PAGE,
      ...(before === undefined ? {} : { from: BigInt(before - 1) }),
    })) {
      if (recorded.metadata.occurred_at < oldest) return { deliveries, next: null };
      const event = readEvent(recorded);
      if (event?.type === 'WebhookDelivered' || event?.type === 'WebhookDeliveryFailed')
        deliveries.push(...viewsOf(event).filter(({ at }) => at >= oldest));
      next = recorded.revision === 0n ? null : Number(recorded.revision);
    }
    return { deliveries, next };
  }
}

/** Returns the attempts of an event, newest first. */
function viewsOf(event: WebhookDeliveryEvent): WebhookDeliveryView[] {
  if (event.type === 'WebhookDelivered') {
    return event.data.deliveries
      .toReversed()
      .map((each) => ({ ...each, status: 'delivered', failure: null, retry_at: null }));
  }
  const { delivery, failure, retry_at } = event.data;
  return [{ ...delivery, status: 'failed', failure, retry_at }];
}
