import { Inject, Injectable } from '@nestjs/common';

import type { RecordedEvent, StreamName } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import type { AuditRow } from '#read-model';

/** Streams read at once for a page. */
const READS = 8;

/** A row of the trail with its event. */
export interface AuditedEvent {
  readonly row: AuditRow;
  readonly event: RecordedEvent;
}

/** Reads the events of the trail's rows from the log, which alone has them. */
@Injectable()
export class AuditedEvents {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /**
   * Returns the rows with their events, in the order of the rows.
   * @throws Error if the log does not have the event of a row: the rows are of another log.
   */
  async of(rows: readonly AuditRow[]): Promise<AuditedEvent[]> {
    const audited: AuditedEvent[] = [];
    for (let from = 0; from < rows.length; from += READS) {
      const batch = rows.slice(from, from + READS);
      audited.push(
        ...(await Promise.all(batch.map(async (row) => ({ row, event: await this.eventOf(row) })))),
      );
    }
    return audited;
  }

  private async eventOf({ stream, revision, id }: AuditRow): Promise<RecordedEvent> {
    const options = { from: BigInt(revision), limit: 1 };
    for await (const event of this.store.read(stream as StreamName, options))
      if (event.id === id) return event;
    throw new Error(`The log has no event ${id} at ${stream} revision ${revision}`);
  }
}
