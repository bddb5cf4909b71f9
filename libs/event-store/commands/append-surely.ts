import { FootnoteError, type ProposedEvent, type StreamName } from '#contracts';
import { backOffMs, type Clock, sleep } from '#platform';

import { isOutcomeUnknown } from '../errors/append-errors.js';
import type { AppendResult, EventStore, ExpectedRevision } from '../event-store.port.js';

const PAUSES = { firstMs: 4, longestMs: 250, jitter: 0.5 };

export interface AppendTarget {
  readonly store: Pick<EventStore, 'append'>;
  readonly stream: StreamName;
  /** Milliseconds of `clock.monotonic()`. */
  readonly deadline: number;
  readonly clock: Clock;
}

/**
 * Appends until the outcome is known. An append of unknown outcome is repeated with the same ids
 * and expectation.
 * @throws FootnoteError `engine_unavailable` if the outcome is still unknown at the deadline; other
 * errors of `append`.
 */
export async function appendSurely(
  target: AppendTarget,
  events: readonly ProposedEvent[],
  expected: ExpectedRevision,
): Promise<AppendResult> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await target.store.append(target.stream, events, expected);
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error;
      if (!(await pauseBefore(attempt, target.deadline, target.clock))) {
        throw new FootnoteError(
          'engine_unavailable',
          'The event log did not answer in time; repeat the request',
          {
            retryAfter: 1,
            cause: error,
          },
        );
      }
    }
  }
}

/**
 * Waits for a short, random time that grows with each attempt.
 * @returns false if the deadline comes first.
 */
export async function pauseBefore(
  attempt: number,
  deadline: number,
  clock: Clock,
): Promise<boolean> {
  const pause = backOffMs(PAUSES, attempt + 1);
  if (clock.monotonic() + pause >= deadline) return false;
  return sleep(pause);
}
