import { FootnoteError, isFootnoteError } from '#contracts';

import { isPositionAhead, PositionAheadError } from '../errors/position-ahead.error.js';
import type { SubscribeOptions } from '../event-store.port.js';
import { asUnavailable } from './client-faults.js';

/**
 * What the reader of a subscription is told when it cannot go on: of a log that is behind or away, which log it is and from
 * where it was asked. A message that clients of the service see says neither, so there the cause does, for its log.
 */
export function subscriptionFault(error: unknown, after: SubscribeOptions['after'], log: string): unknown {
  if (isPositionAhead(error)) return new PositionAheadError(error.position, error.head, log);
  const fault = asUnavailable(error);
  if (!isFootnoteError(fault, 'engine_unavailable')) return fault;
  const place = after === 'start' ? 'from its start' : `after position ${after}`;
  return new FootnoteError(fault.code, fault.message, {
    ...(fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter }),
    cause: new Error(`${log} was asked for its events ${place}`, { cause: fault.cause }),
  });
}
