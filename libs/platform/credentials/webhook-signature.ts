import { createHmac } from 'node:crypto';

/** The signed headers of a webhook. */
export interface WebhookHead {
  /** `webhook-id`. */
  readonly id: string;
  /** `webhook-timestamp`: seconds since the epoch. */
  readonly timestamp: string;
}

/**
 * Returns the signature of a webhook by Standard Webhooks 1.0: `v1,` and the base64 of the
 * HMAC-SHA256 of id, time and body.
 * @param secret `whsec_` and the key in base64.
 */
export function signWebhook(
  secret: string,
  { id, timestamp }: WebhookHead,
  body: string | Uint8Array,
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  return `v1,${mac.digest('base64')}`;
}
