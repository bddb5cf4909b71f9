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
  /** Milliseconds that a lost connection is tried again for before the reader is told. */
  readonly reconnectForMs: number;
  /** What errors call the log. */
  readonly log: string;
}

/**
 * A subscription that survives short losses of the connection: it goes on after the last delivery,
 * with no gap and no repetition, and says caught-up only once. A subscription that cannot begin, or
 * is away for long, throws `engine_unavailable`, so that its reader shows it; any answer of the
 * server is thrown as it is.
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
      throw new FootnoteError('engine_unavailable', 'The event store ended the subscription.', {
        retryAfter: 1,
      });
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
        'A subscription lost the event store',
      );
      await sleep(pause, signal);
    }
  }
}

/**
 * What the reader of a subscription is told when it cannot go on: of a log that is behind or away,
 * which log it is and from where it was asked. A message that clients of the service see says
 * neither, so there the cause does, for its log.
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
