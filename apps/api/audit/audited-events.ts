import { Inject, Injectable } from '@nestjs/common';

import type { RecordedEvent, StreamName } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import type { AuditRow } from '#read-model';

/** Streams read at once for a page. */
const READS = 8;
/** Events between two rows of a stream that one read passes over. */
const MAX_SKIPPED = 8;

/** A row of the trail with its event. */
export interface AuditedEvent {
  readonly row: AuditRow;
  readonly event: RecordedEvent;
}

/** Revisions of a stream that one read returns. */
interface Span {
  readonly stream: string;
  readonly first: number;
  last: number;
}

/** Reads the events of the trail's rows from the log, which alone has them. */
@Injectable()
export class AuditedEvents {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /**
   * Returns the rows with their events, in the order of the rows. Neighbors in a stream share a
   * read.
   * @throws Error if the log does not have the event of a row: the rows are of another log.
   */
  async of(rows: readonly AuditRow[]): Promise<AuditedEvent[]> {
    const spans = spansOf(rows);
    const events = new Map<string, RecordedEvent>();
    for (let from = 0; from < spans.length; from += READS) {
      const batch = spans.slice(from, from + READS);
      await Promise.all(batch.map((span) => this.read(span, events)));
    }
    return rows.map((row) => {
      const { id, stream, revision } = row;
      const event = events.get(id);
      if (event?.stream !== stream || Number(event.revision) !== revision)
        throw new Error(`The log has no event ${id} at ${stream} revision ${revision}`);
      return { row, event };
    });
  }

  private async read({ stream, first, last }: Span, events: Map<string, RecordedEvent>) {
    const options = { from: BigInt(first), limit: last - first + 1 };
    for await (const event of this.store.read(stream as StreamName, options))
      events.set(event.id, event);
  }
}

/** Joins rows of a stream whose revisions are close into spans. */
function spansOf(rows: readonly AuditRow[]): readonly Span[] {
  const spans: Span[] = [];
  const newest = new Map<string, Span>();
  for (const { stream, revision } of rows.toSorted((a, b) => a.revision - b.revision)) {
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
