import type { RecordedEvent, StreamName } from '#contracts';

import type { EventStore } from '../event-store.port.js';

/** Streams read at once. */
const READS = 8;
/** Events between two places of a stream that one read passes over. */
const MAX_SKIPPED = 8;

/** The place of an event in its stream. */
interface EventPlace {
  readonly stream: string;
  readonly revision: number;
  /** Id of the event. */
  readonly id: string;
}

/** Revisions of a stream that one read returns. */
interface Span {
  readonly stream: string;
  readonly first: number;
  last: number;
}

/**
 * Returns the events at places in streams, in the order of the places. Neighbors in a stream share
 * a read.
 * @throws Error if the log does not have an event: the places are of another log.
 */
export async function readEventsAt<Place extends EventPlace>(
  store: Pick<EventStore, 'read'>,
  places: readonly Place[],
): Promise<{ readonly place: Place; readonly event: RecordedEvent }[]> {
  const found = await findEventsAt(store, places);
  return found.map(({ place, event }) => {
    const { id, stream, revision } = place;
    if (!event) throw new Error(`The log has no event ${id} at ${stream} revision ${revision}`);
    return { place, event };
  });
}

/** Returns the events at places as {@link readEventsAt} does, and null for each absent one. */
export async function findEventsAt<Place extends EventPlace>(
  store: Pick<EventStore, 'read'>,
  places: readonly Place[],
): Promise<{ readonly place: Place; readonly event: RecordedEvent | null }[]> {
  const spans = spansOf(places);
  const events = new Map<string, RecordedEvent>();
  for (let from = 0; from < spans.length; from += READS) {
    const batch = spans.slice(from, from + READS);
    await Promise.all(batch.map((span) => readSpan(store, span, events)));
  }
  return places.map((place) => {
    const event = events.get(place.id);
    const isThere = event?.stream === place.stream && Number(event.revision) === place.revision;
    return { place, event: isThere ? event : null };
  });
}

async function readSpan(
  store: Pick<EventStore, 'read'>,
  { stream, first, last }: Span,
  events: Map<string, RecordedEvent>,
): Promise<void> {
  const options = { from: BigInt(first), limit: last - first + 1 };
  for await (const event of store.read(stream as StreamName, options)) events.set(event.id, event);
}

/** Joins places of a stream whose revisions are close into spans. */
function spansOf(places: readonly EventPlace[]): readonly Span[] {
  const spans: Span[] = [];
  const newest = new Map<string, Span>();
  for (const { stream, revision } of places.toSorted((a, b) => a.revision - b.revision)) {
    const span = newest.get(stream);
    if (span && revision - span.last <= MAX_SKIPPED + 1) {
      span.last = revision;
      continue;
    }
    const started = { stream, first: revision, last: revision };
    newest.set(stream, started);
    spans.push(started);
  }
  return spans;
}
