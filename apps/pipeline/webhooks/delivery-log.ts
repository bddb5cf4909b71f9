import type { Actor, WebhookAttempt, WebhookDeliveryEvent } from '#contracts';
import { webhookDecider, type WebhookDeliveriesCommand, webhookDeliveriesDecider } from '#domain';
import {
  appendSurely,
  commandContext,
  type EventStore,
  handleCommand,
  proposeEvents,
} from '#event-store';
import { type Clock, uuidv5 } from '#platform';

import type { Endpoint, EndpointBook } from './endpoint-book.js';

const ACTOR: Actor = Object.freeze({ type: 'system', id: 'webhooks' });

export interface DeliveryLogDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly book: EndpointBook;
}

/**
 * Records deliveries in the stream of their endpoint, at the revision that was folded. So of two
 * processes that deliver at once, one fails to record and stops.
 */
export class DeliveryLog {
  constructor(private readonly dependencies: DeliveryLogDependencies) {}

  /** Records accepted deliveries. @throws WrongExpectedRevisionError. */
  async delivered(webhookId: string, deliveries: WebhookAttempt[]): Promise<void> {
    if (deliveries.length === 0) return;
    const data = { webhook_id: webhookId, deliveries };
    await this.append(webhookId, { type: 'RecordWebhookDeliveries', data });
  }

  /** Records a failed attempt. @throws WrongExpectedRevisionError. */
  async failed(
    data: Extract<WebhookDeliveriesCommand, { type: 'RecordWebhookFailure' }>['data'],
  ): Promise<void> {
    await this.append(data.webhook_id, { type: 'RecordWebhookFailure', data });
  }

  /** Stops deliveries to an endpoint; repeated for one failure it changes nothing. */
  async disable(
    { tenant_id, webhook_id, revision }: Endpoint,
    reason: 'gone' | 'failing',
  ): Promise<void> {
    const { store, clock } = this.dependencies;
    const commandId = uuidv5('webhook-disabled', webhook_id, String(revision));
    await handleCommand({
      store,
      clock,
      decider: webhookDecider,
      stream: `webhooks-${tenant_id}`,
      expected: 'existing',
      decide: (state) =>
        state.some((each) => each.webhook_id === webhook_id)
          ? webhookDecider.decide({ type: 'DisableWebhook', data: { webhook_id, reason } }, state)
          : [],
      context: commandContext(clock, { tenant_id, actor: ACTOR }, commandId),
    });
  }

  private async append(webhookId: string, command: WebhookDeliveriesCommand): Promise<void> {
    const { store, clock, book } = this.dependencies;
    const endpoint = book.find(webhookId);
    if (!endpoint) return;
    const events = webhookDeliveriesDecider.decide(command, endpoint);
    if (events.length === 0) return;
    const { tenant_id, revision } = endpoint;
    const commandId = uuidv5('webhook-deliveries', webhookId, JSON.stringify(command.data));
    const context = commandContext(clock, { tenant_id, actor: ACTOR }, commandId);
    const stream = `webhookdeliveries-${webhookId}` as const;
    const target = { store, clock, stream, deadline: context.deadline };
    const expected = revision === null ? 'none' : BigInt(revision);
    const appended = await appendSurely(target, proposeEvents(events, context), expected);
    const first = Number(appended.revision) - events.length + 1;
    events.forEach((event: WebhookDeliveryEvent, at) => book.applyDelivery(event, first + at));
  }
}
