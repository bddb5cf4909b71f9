import type { Decider, WebhookAttempt, WebhookDeliveryEvent, WebhookFailure } from '#contracts';

import { defineStream } from '../define-stream.js';

/** Deliveries that the endpoint accepted, in order. */
export interface RecordWebhookDeliveries {
  readonly type: 'RecordWebhookDeliveries';
  readonly data: { readonly webhook_id: string; readonly deliveries: WebhookAttempt[] };
}

export interface RecordWebhookFailure {
  readonly type: 'RecordWebhookFailure';
  readonly data: {
    readonly webhook_id: string;
    readonly delivery: WebhookAttempt;
    readonly failure: WebhookFailure;
    readonly retry_at: string | null;
  };
}

export type WebhookDeliveriesCommand = RecordWebhookDeliveries | RecordWebhookFailure;

export interface WebhookDeliveriesState {
  /** Seq up to which the endpoint is served; null before the first delivery. */
  readonly cursor: number | null;
  /** The delivery that failed last, while no later one succeeded. */
  readonly failing: {
    readonly seq: number;
    readonly attempt: number;
    readonly retry_at: string | null;
  } | null;
}

/** Stream `webhookdeliveries-<webhook_id>`: the cursor of an endpoint only moves forward. */
export const webhookDeliveriesDecider: Decider<
  WebhookDeliveriesCommand,
  WebhookDeliveriesState,
  WebhookDeliveryEvent
> = { initial: { cursor: null, failing: null }, decide, evolve };

export const webhookDeliveriesStreams = defineStream({
  pattern: 'webhookdeliveries-<webhook_id>',
  decider: webhookDeliveriesDecider,
  commands: { RecordWebhookDeliveries: true, RecordWebhookFailure: true },
  events: { WebhookDelivered: true, WebhookDeliveryFailed: true },
});

/** Ignores deliveries that were recorded before. */
function decide(
  command: WebhookDeliveriesCommand,
  { cursor }: WebhookDeliveriesState,
): readonly WebhookDeliveryEvent[] {
  const isNew = ({ seq }: WebhookAttempt) => cursor === null || seq > cursor;
  if (command.type === 'RecordWebhookFailure')
    return isNew(command.data.delivery)
      ? [{ type: 'WebhookDeliveryFailed', data: command.data }]
      : [];
  const deliveries = command.data.deliveries.filter(isNew);
  return deliveries.length > 0
    ? [{ type: 'WebhookDelivered', data: { ...command.data, deliveries } }]
    : [];
}

function evolve(
  state: WebhookDeliveriesState,
  event: WebhookDeliveryEvent,
): WebhookDeliveriesState {
  switch (event.type) {
    case 'WebhookDelivered':
      return { cursor: event.data.deliveries.at(-1)?.seq ?? state.cursor, failing: null };
    case 'WebhookDeliveryFailed': {
      const { delivery, retry_at } = event.data;
      return { ...state, failing: { seq: delivery.seq, attempt: delivery.attempt, retry_at } };
    }
    default:
      return state;
  }
}
