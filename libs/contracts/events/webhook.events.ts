import { z } from 'zod';

import { count, id, instant, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/** Event types that an endpoint receives; null for all. */
const types = z.array(id).max(500).nullable();

/**
 * Stream `webhooks-<tenant_id>`: the webhook endpoints of a tenant. One stream, so that their
 * number is exact. URLs and secrets are sealed with the tenant's key: a URL may contain a token.
 */
export const webhookCreated = defineEvent(
  'WebhookCreated',
  1,
  z.object({
    webhook_id: id,
    name: z.string(),
    url: sealedText,
    types,
    secret_id: id,
    secret: sealedText,
    created_at: instant,
  }),
);

/** Only changed fields are present. */
export const webhookUpdated = defineEvent(
  'WebhookUpdated',
  1,
  z.object({
    webhook_id: id,
    name: z.string().optional(),
    url: sealedText.optional(),
    types: types.optional(),
  }),
);

/** Deliveries continue where they stopped. */
export const webhookEnabled = defineEvent('WebhookEnabled', 1, z.object({ webhook_id: id }));

/** `gone`: the endpoint answered 410. `failing`: every attempt of one delivery failed. */
export const WEBHOOK_DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];
export const webhookDisabled = defineEvent(
  'WebhookDisabled',
  1,
  z.object({ webhook_id: id, reason: z.enum(WEBHOOK_DISABLED_REASONS) }),
);

/** Until `previous_until`, the previous secret signs as well. */
export const webhookSecretRotated = defineEvent(
  'WebhookSecretRotated',
  1,
  z.object({ webhook_id: id, secret_id: id, secret: sealedText, previous_until: instant }),
);

/** The endpoint receives this event itself, whatever types it receives. */
export const webhookTestRequested = defineEvent(
  'WebhookTestRequested',
  1,
  z.object({ webhook_id: id }),
);

/** The endpoint receives an earlier event again. */
export const webhookRedeliveryRequested = defineEvent(
  'WebhookRedeliveryRequested',
  1,
  z.object({ webhook_id: id, event_id: id }),
);
export const webhookDeleted = defineEvent('WebhookDeleted', 1, z.object({ webhook_id: id }));

/** One answered or failed request to an endpoint. */
const attempt = z.object({
  /** Seq of the event that caused the delivery: the endpoint is served up to there. */
  seq: count,
  /** The delivered event: another one than at `seq` for a redelivery. */
  event_id: id,
  event_type: id,
  /** Attempts so far, this one included. */
  attempt: count,
  /** Status of the answer; null without one. */
  status_code: z.number().int().min(100).max(999).nullable(),
  at: instant,
});

/**
 * Stream `webhookdeliveries-<webhook_id>`: deliveries that the endpoint accepted, in order. The
 * last one is where the next process continues.
 */
export const webhookDelivered = defineEvent(
  'WebhookDelivered',
  1,
  z.object({ webhook_id: id, deliveries: z.array(attempt).min(1).max(100) }),
);

/** `status`: an answer other than 2xx. `refused`: the address must not be contacted. */
export const WEBHOOK_FAILURES = ['status', 'timeout', 'connection', 'refused'] as const;
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number];
export const webhookDeliveryFailed = defineEvent(
  'WebhookDeliveryFailed',
  1,
  z.object({
    webhook_id: id,
    delivery: attempt,
    failure: z.enum(WEBHOOK_FAILURES),
    /** Time of the next attempt; null after the last one. */
    retry_at: instant.nullable(),
  }),
);

export const webhookEvents = [
  webhookCreated,
  webhookUpdated,
  webhookEnabled,
  webhookDisabled,
  webhookSecretRotated,
  webhookTestRequested,
  webhookRedeliveryRequested,
  webhookDeleted,
] as const;
export type WebhookEvent = EventOf<(typeof webhookEvents)[number]>;

export const webhookDeliveryEvents = [webhookDelivered, webhookDeliveryFailed] as const;
export type WebhookDeliveryEvent = EventOf<(typeof webhookDeliveryEvents)[number]>;
export type WebhookAttempt = z.output<typeof attempt>;

/** Types that no endpoint receives: every delivery would cause another one. */
export const UNDELIVERED_TYPES: readonly string[] = webhookDeliveryEvents.map(({ type }) => type);
