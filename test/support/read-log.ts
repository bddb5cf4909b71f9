import type { RecordedEvent } from '#contracts';
import type { EventStore } from '#event-store';

/** Every event of the log in position order. */
export async function readLog(store: EventStore): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const abort = new AbortController();
  for await (const delivery of store.subscribe({ after: 'start', signal: abort.signal })) {
    if (delivery.kind === 'event') events.push(delivery.event);
    if (delivery.kind === 'caught-up') abort.abort();
  }
  return events;
}
