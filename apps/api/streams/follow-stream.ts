import type { RecordedEvent, StreamName } from '#contracts';
import type { EventStore } from '#event-store';
import type { Clock } from '#platform';

import { Signal } from './signal.js';
import type { StreamActivity } from './stream-activity.js';
import { MAX_LIFE_MS, POLL_EVERY_MS } from './stream-limits.js';

export interface FollowStreamOptions {
  readonly store: Pick<EventStore, 'read'>;
  readonly clock: Clock;
  readonly activity: StreamActivity;
  /** Category and id of the stream. */
  readonly category: string;
  readonly id: string;
  readonly signal: AbortSignal;
}

/**
 * Returns all events of a stream and then its new ones, for an hour or until the consumer stops.
 * Between the reads it yields null: all present events were returned.
 *
 * @throws the reason of the signal when it aborts.
 */
export async function* followStream(
  options: FollowStreamOptions,
): AsyncGenerator<RecordedEvent | null, void> {
  const { store, clock, activity, category, id, signal } = options;
  const rung = new Signal(signal);
  const unsubscribe = activity.onActivity(id, () => rung.ring());
  const until = clock.monotonic() + MAX_LIFE_MS;
  const stream: StreamName = `${category}-${id}`;
  let next = 0n;
  try {
    while (clock.monotonic() < until) {
      for await (const recorded of store.read(stream, { from: next })) {
        next = recorded.revision + 1n;
        yield recorded;
      }
      yield null;
      signal.throwIfAborted();
      await rung.wait(POLL_EVERY_MS);
    }
  } finally {
    unsubscribe();
  }
}
