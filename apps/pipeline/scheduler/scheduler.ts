import type { Position } from '#contracts';
import {
  type EventStore,
  followLog,
  oneByOne,
  type SubscriptionDelivery,
  upcast,
} from '#event-store';
import type { Clock, Logger } from '#platform';

import { type DueSync, Schedule, SCHEDULE_TYPES } from './schedule.js';
import { startDueSync } from './start-due-sync.js';

export interface SchedulerDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of each job it opens. */
  readonly maxRetries: number;
  /** True while this process is the one that acts. */
  readonly leads: () => boolean;
}

/**
 * Syncs that are started at a look; what else is due waits for the next, so that a start after a
 * night does not begin all at once.
 */
export const STARTS_A_LOOK = 10;
/**
 * A sync that was started, or could not be, is looked at again after this long unless an event of
 * its source comes first.
 */
const LOOK_AGAIN_MS = 30_000;
const RESTART_PAUSE = { firstMs: 1_000, longestMs: 1_000 };

/**
 * Starts the syncs that nobody asks for: by a source's interval, and after a push that came while
 * one ran. Every process folds the log; the one that leads acts. The lead keeps two from doing the
 * same work, and is no fence: what two of them start is one sync by its ids.
 */
export class Scheduler {
  /** Position of the newest event considered. */
  position: Position | null = null;
  private readonly schedule = new Schedule();
  /** Sources that were looked at lately, until when by the monotonic clock. */
  private readonly attended = new Map<string, number>();
  private caughtUp = false;

  constructor(private readonly dependencies: SchedulerDependencies) {}

  /** Follows the log until the signal aborts; an engine that is away is waited for. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, logger } = this.dependencies;
    await followLog({
      store,
      filter: { types: SCHEDULE_TYPES },
      signal,
      from: (reached) => reached ?? 'start',
      take: oneByOne((delivery) => this.take(delivery)),
      backOff: RESTART_PAUSE,
      onFailure: (error) =>
        logger.error({ err: error }, 'The scheduler lost the log and tries again'),
    });
  }

  /**
   * Starts what is due by the wall clock; nothing before history is folded, or where another
   * process leads.
   */
  async look(): Promise<void> {
    const { clock, leads } = this.dependencies;
    if (!this.caughtUp || !leads()) return;
    const now = clock.monotonic();
    for (const [sourceId, until] of this.attended) if (until <= now) this.attended.delete(sourceId);
    const due = this.schedule
      .dueAt(clock.now().getTime())
      .filter(({ sourceId }) => !this.attended.has(sourceId));
    for (const sync of due.slice(0, STARTS_A_LOOK)) {
      if (!leads()) return;
      await this.start(sync);
    }
  }

  private async start(sync: DueSync): Promise<void> {
    const { clock, logger } = this.dependencies;
    this.attended.set(sync.sourceId, clock.monotonic() + LOOK_AGAIN_MS);
    try {
      await startDueSync(this.dependencies, sync);
    } catch (error) {
      logger.warn(
        { err: error, source_id: sync.sourceId },
        'A sync that is due could not be started and is tried again',
      );
    }
  }

  private take(delivery: SubscriptionDelivery): void {
    if (delivery.kind === 'caught-up') this.caughtUp = true;
    if (delivery.kind === 'checkpoint') this.position = delivery.position;
    if (delivery.kind !== 'event') return;
    this.position = delivery.event.position;
    const read = upcast(delivery.event);
    if (read.kind !== 'known') return;
    this.schedule.apply(read.event);
    const { source_id } = read.event.data as { readonly source_id?: string };
    if (source_id !== undefined) this.attended.delete(source_id);
  }
}
