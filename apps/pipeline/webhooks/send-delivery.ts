import type { WebhookFailure } from '#contracts';
import { signWebhook } from '#platform';
import { OutboundRefusedError } from '#platform/http/address-guard';
import type { GuardedHttp } from '#platform/http/guarded-http';

/** Time limit of one attempt, milliseconds. */
const WITHIN_MS = 10_000;

export interface Delivery {
  readonly url: string;
  /** Id of the event: the same on each attempt. */
  readonly id: string;
  readonly body: string;
  /** Secrets in the clear, the current one first. */
  readonly secrets: readonly string[];
  readonly sentAt: Date;
}

export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly statusCode: number }
  | {
      readonly kind: 'failed';
      readonly failure: WebhookFailure;
      readonly statusCode: number | null;
    };

/**
 * Sends a delivery by Standard Webhooks: one signature for each secret. Redirects are not followed,
 * and the body of the answer is not read.
 * @throws the signal's reason if it aborts.
 */
export async function sendDelivery(
  http: Pick<GuardedHttp, 'request'>,
  { url, id, body, secrets, sentAt }: Delivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const signatures = secrets.map((secret) => signWebhook(secret, { id, timestamp }, body));
  try {
    const { status } = await http.request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      },
      body,
      signal,
      timeoutMs: WITHIN_MS,
      maxBytes: 0,
    });
    return status >= 200 && status < 300
      ? { kind: 'delivered', statusCode: status }
      : { kind: 'failed', failure: 'status', statusCode: status };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'failed', failure: failureOf(error), statusCode: null };
  }
}

function failureOf(error: unknown): WebhookFailure {
  if (error instanceof OutboundRefusedError) return 'refused';
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  return name === 'TimeoutError' || String(code).includes('TIMEOUT') ? 'timeout' : 'connection';
}
