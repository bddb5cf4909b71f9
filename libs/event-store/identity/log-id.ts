import { FootnoteError, type RecordedEvent } from '#contracts';
import { type LogId, uuidv5 } from '#platform';

import type { EventStore } from '../event-store.port.js';

/** Milliseconds in which a log must return its first event, or report that it has none. */
const ANSWER_MS = 15_000;

/**
 * Returns the identity of the log that begins with this event. It is derived from what the event
 * was written with, which every copy and backup of the log contains. It does not depend on where
 * and when the server stored the event.
 */
function logIdOf({
  stream,
  id,
  type,
  data,
  metadata,
}: Omit<RecordedEvent, 'position' | 'recordedAt'>): LogId {
  return uuidv5('log', stream, id, type, metadata.occurred_at, canonicalJson(data)) as LogId;
}

/**
 * Returns the identity of a log, derived from this service's first event in it; null for a log
 * without events.
 * @throws FootnoteError `engine_unavailable`.
 */
export async function readLogId(store: Pick<EventStore, 'subscribe'>): Promise<LogId | null> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  for await (const delivery of store.subscribe({ after: 'start', signal })) {
    if (delivery.kind === 'event') return logIdOf(delivery.event);
    if (delivery.kind === 'caught-up') return null;
  }
  throw new FootnoteError(
    'engine_unavailable',
    'The event log did not return its first event in time',
    {
      retryAfter: 1,
    },
  );
}

/**
 * Returns JSON text that does not depend on the order in which a store keeps the fields of an
 * object.
 */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}
