import { Inject, Injectable } from '@nestjs/common';

import type { RecordedEvent } from '#contracts';
import { EVENT_STORE, type EventStore, readEventsAt } from '#event-store';
import type { AuditRow } from '#read-model';

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
    const read = await readEventsAt(this.store, rows);
    return read.map(({ place, event }) => ({ row: place, event }));
  }
}
