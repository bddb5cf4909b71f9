import { FootnoteError, isFootnoteError } from '#contracts';
import { backOffMs, type Clock, type Logger, sleep } from '#platform';

import { isPositionAhead, PositionAheadError } from '../errors/log-errors.js';
import type { SubscribeOptions, SubscriptionDelivery } from '../event-store.port.js';
import { catchUp, type CatchUpSource } from './catch-up.js';
import { asUnavailable, isLost } from './client-faults.js';

const PAUSES = { firstMs: 50, longestMs: 2_000, jitter: 0.5 };

export interface LastingOptions extends CatchUpSource {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Milliseconds for which a lost connection is retried before the reader gets an error. */
  readonly reconnectForMs: number;
  /** Name of the log in errors. */
  readonly log: string;
}

/**
 * Subscribes across short losses of the connection. It resumes after the last delivery, without gap
 * or repetition, and reports `caught-up` only once. If it cannot begin, or is disconnected for
 * long, it throws `engine_unavailable`, so that its reader shows it. Any answer of the server is
 * thrown unchanged.
 */
export async function* subscribeLasting(
  source: LastingOptions,
  options: SubscribeOptions,
): AsyncGenerator<SubscriptionDelivery, void, undefined> {
  const { signal } = options;
  let { after } = options;
  let begun = false;
  let caughtUp = false;
  let lostAt: number | null = null;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      for await (const delivery of catchUp(source, { ...options, after })) {
        begun = true;
        lostAt = null;
        attempt = 0;
        if (delivery.kind === 'caught-up') {
          if (caughtUp) continue;
          caughtUp = true;
        } else {
          after = delivery.kind === 'event' ? delivery.event.position : delivery.position;
        }
        yield delivery;
        if (signal.aborted) return;
      }
      if (signal.aborted) return;
      throw new FootnoteError(
        'engine_unavailable',
        'The event store ended the subscription; repeat the request',
        {
          retryAfter: 1,
        },
      );
    } catch (error) {
      if (signal.aborted) return;
      const now = source.clock.monotonic();
      lostAt ??= now;
      const transient =
        isLost(error) || (error instanceof FootnoteError && error.code === 'engine_unavailable');
      if (!transient || !begun || now - lostAt >= source.reconnectForMs) {
        throw subscriptionFault(error, after, source.log);
      }
      const pause = backOffMs(PAUSES, attempt + 1);
      source.logger.warn(
        { err: error, after, retry_in_ms: Math.round(pause) },
        'event store: a subscription lost its connection; reconnecting',
      );
      await sleep(pause, signal);
    }
  }
}

/**
 * Returns the error for a reader that cannot continue. If the log is behind or unavailable, it
 * names the log and the requested position. Messages that clients of the service see contain
 * neither, so the cause contains them for the service's log.
 */
function subscriptionFault(error: unknown, after: SubscribeOptions['after'], log: string): unknown {
  if (isPositionAhead(error)) return new PositionAheadError(error.position, error.head, log);
  const fault = asUnavailable(error);
  if (!isFootnoteError(fault, 'engine_unavailable')) return fault;
  const place = after === 'start' ? 'from its start' : `after position ${after}`;
  return new FootnoteError(fault.code, fault.message, {
    ...(fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter }),
    cause: new Error(`${log} was asked for its events ${place}`, { cause: fault.cause }),
  });
}
