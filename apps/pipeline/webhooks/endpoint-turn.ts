import type { WebhookAttempt, WebhookFailure } from '#contracts';
import {
  type Clock,
  type KeyRing,
  type Sealed,
  webhookSecretContext,
  webhookUrlContext,
} from '#platform';
import type { GuardedHttp } from '#platform/http/guarded-http';

import type { DeliveryLog } from './delivery-log.js';
import type { DeliveryQueue, QueuedEvent } from './delivery-queue.js';
import type { Endpoint, EndpointBook } from './endpoint-book.js';
import { retryAt } from './retry-schedule.js';
import { sendDelivery } from './send-delivery.js';

/** Time after which a turn ends and lets others have its slot, milliseconds. */
const TURN_MS = 5_000;

export interface EndpointTurnDependencies {
  readonly book: EndpointBook;
  readonly queue: DeliveryQueue;
  readonly log: DeliveryLog;
  readonly http: Pick<GuardedHttp, 'request'>;
  readonly keyRing: Pick<KeyRing, 'open'>;
  readonly clock: Clock;
}

/**
 * Result of a turn: everything is delivered, more is waiting, or the next attempt is due at a time
 * of the wall clock.
 */
export type TurnEnd =
  | { readonly kind: 'idle' }
  | { readonly kind: 'more' }
  | { readonly kind: 'later'; readonly at: number };

/**
 * Delivers events to one endpoint, in order. Accepted ones are recorded together, at the end of the
 * turn or before a failure: a process that dies repeats at most one page.
 */
export class EndpointTurn {
  /** Seq up to which the trail has nothing for an endpoint. */
  private readonly passed = new Map<string, number>();

  constructor(private readonly dependencies: EndpointTurnDependencies) {}

  /** Discards what was learned about the trail, for endpoints whose types changed. */
  forget(webhookId: string): void {
    this.passed.delete(webhookId);
  }

  /** @throws WrongExpectedRevisionError if another process delivers; errors of engines. */
  async run(webhookId: string, signal: AbortSignal): Promise<TurnEnd> {
    const { book, queue, clock } = this.dependencies;
    const endpoint = book.find(webhookId);
    if (!endpoint?.enabled) return { kind: 'idle' };
    if (endpoint.failing && endpoint.failing.retry_at === null) {
      // The process that recorded the last attempt died before it disabled the endpoint.
      await this.dependencies.log.disable(endpoint, 'failing');
      return { kind: 'idle' };
    }
    const dueAt = Date.parse(endpoint.failing?.retry_at ?? '');
    if (dueAt > clock.now().getTime()) return { kind: 'later', at: dueAt };
    const after = await this.startOf(endpoint);
    if (after === null) return { kind: 'later', at: clock.now().getTime() + 1_000 };
    const address = await this.open(endpoint);
    if (!address) return { kind: 'idle' };
    const { events, hasMore } = await queue.next(endpoint, after);
    if (events.length === 0 && hasMore) return { kind: 'later', at: clock.now().getTime() + 100 };
    return this.deliver(endpoint, address, { events, hasMore }, signal);
  }

  private async deliver(
    endpoint: Endpoint,
    address: { readonly url: string; readonly secrets: readonly string[] },
    { events, hasMore }: { readonly events: readonly QueuedEvent[]; readonly hasMore: boolean },
    signal: AbortSignal,
  ): Promise<TurnEnd> {
    const { clock, log, book, http } = this.dependencies;
    const { webhook_id, failing } = endpoint;
    const until = clock.monotonic() + TURN_MS;
    const accepted: WebhookAttempt[] = [];
    let failed: { readonly attempt: WebhookAttempt; readonly failure: WebhookFailure } | undefined;
    try {
      for (const { seq, send } of events) {
        if (signal.aborted || clock.monotonic() > until || !book.find(webhook_id)?.enabled)
          return { kind: 'more' };
        if (send) {
          const sentAt = clock.now();
          const outcome = await sendDelivery(http, { ...address, ...send, sentAt }, signal);
          const attempt = {
            seq,
            event_id: send.id,
            event_type: send.type,
            attempt: failing?.seq === seq ? failing.attempt + 1 : 1,
            status_code: outcome.statusCode,
            at: sentAt.toISOString(),
          };
          if (outcome.kind === 'failed') {
            failed = { attempt, failure: outcome.failure };
            break;
          }
          accepted.push(attempt);
        }
        this.passed.set(webhook_id, seq);
      }
    } finally {
      await log.delivered(webhook_id, accepted);
    }
    if (failed) return this.fail(webhook_id, failed.attempt, failed.failure);
    return hasMore ? { kind: 'more' } : { kind: 'idle' };
  }

  private async fail(
    webhookId: string,
    delivery: WebhookAttempt,
    failure: WebhookFailure,
  ): Promise<TurnEnd> {
    const { clock, log, book } = this.dependencies;
    const isGone = delivery.status_code === 410;
    const next = isGone ? null : retryAt(delivery.attempt, clock.now());
    const retry_at = next?.toISOString() ?? null;
    await log.failed({ webhook_id: webhookId, delivery, failure, retry_at });
    if (next) return { kind: 'later', at: next.getTime() };
    const endpoint = book.find(webhookId);
    if (endpoint) await log.disable(endpoint, isGone ? 'gone' : 'failing');
    return { kind: 'idle' };
  }

  private async startOf(endpoint: Endpoint): Promise<number | null> {
    const served = endpoint.cursor ?? (await this.dependencies.queue.startOf(endpoint));
    if (served === null) return null;
    return Math.max(served, this.passed.get(endpoint.webhook_id) ?? served);
  }

  /** Returns address and secrets in the clear; null once the tenant's key is destroyed. */
  private async open({ tenant_id, webhook_id, url, secrets }: Endpoint) {
    const { keyRing, clock } = this.dependencies;
    const now = clock.now().toISOString();
    const opened = await keyRing.open(tenant_id, webhookUrlContext(webhook_id), url as Sealed);
    const valid = await Promise.all(
      secrets
        .filter(({ until }) => until === null || until > now)
        .map(({ secret_id, secret }) =>
          keyRing.open(tenant_id, webhookSecretContext(webhook_id, secret_id), secret as Sealed),
        ),
    );
    const known = valid.filter((secret) => secret !== null);
    return opened === null || known.length === 0 ? null : { url: opened, secrets: known };
  }
}
