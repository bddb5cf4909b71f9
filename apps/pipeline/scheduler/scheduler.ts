import type { EventStore, RecordedDomainEvent } from '#event-store';
import type { Clock, Logger } from '#platform';

import { foldState } from '../reactor/fold-state.js';
import type { Reactor, ReactorRun } from '../reactor/reactor.types.js';
import { type DueSync, Schedule, SCHEDULE_TYPES } from './schedule.js';
import { startDueSync } from './start-due-sync.js';

export interface SchedulerDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Retry limit of each job it opens. */
  readonly maxRetries: number;
}

/** Syncs started per run; after a long pause of the service the rest starts in later runs. */
export const STARTS_PER_RUN = 10;
/** Pause before a sync is tried again, unless an event of its source comes first, milliseconds. */
const RETRY_AFTER_MS = 30_000;

/**
 * Starts syncs without a request: after a source's interval, and after a push that came while a
 * sync ran. Two processes that act at once start one sync, because its ids are derived.
 */
export class Scheduler implements Reactor {
  readonly name = 'scheduler';
  readonly eventTypes = SCHEDULE_TYPES;
  readonly intervalMs = 1_000;
  private readonly schedule = new Schedule();
  readonly state = foldState(1, this.schedule);
  /** Sources with a recent attempt, with the monotonic time at which the next may start. */
  private readonly attempted = new Map<string, number>();

  constructor(private readonly dependencies: SchedulerDependencies) {}

  apply(event: RecordedDomainEvent): boolean {
    this.schedule.apply(event);
    const { source_id } = event.data as { readonly source_id?: string };
    if (source_id !== undefined) this.attempted.delete(source_id);
    return false;
  }

  /** Starts the syncs that are due by the wall clock. */
  async run({ signal }: Pick<ReactorRun, 'signal'>): Promise<void> {
    const { clock } = this.dependencies;
    const now = clock.monotonic();
    for (const [sourceId, until] of this.attempted)
      if (until <= now) this.attempted.delete(sourceId);
    const due = this.schedule
      .dueAt(clock.now().getTime())
      .filter(({ sourceId }) => !this.attempted.has(sourceId));
    for (const sync of due.slice(0, STARTS_PER_RUN)) {
      if (signal.aborted) return;
      await this.start(sync);
    }
  }

  private async start(sync: DueSync): Promise<void> {
    const { clock, logger } = this.dependencies;
    this.attempted.set(sync.sourceId, clock.monotonic() + RETRY_AFTER_MS);
    try {
      await startDueSync(this.dependencies, sync);
    } catch (error) {
      logger.warn(
        { err: error, source_id: sync.sourceId, retry_in_ms: RETRY_AFTER_MS },
        'reactor scheduler: a due sync could not be started; retrying',
      );
    }
  }
}
