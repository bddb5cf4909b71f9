import { dueWork, jobDecider, leasedWork } from '#domain';
import {
  appendSurely,
  type EventStore,
  foldStream,
  isWrongExpectedRevision,
  proposeEvents,
  type RecordedDomainEvent,
} from '#event-store';
import { backOffMs, type Clock, type Logger, uuidv5 } from '#platform';

import { APPEND_DEADLINE_MS, systemMetadata } from '../log/commands.js';
import type { Reactor } from '../reactor/reactor.types.js';
import { type JobEntry, jobOf, type Ledger } from './ledger.js';

/** Longest time between two messages for the same work, in leases. */
const LONGEST_LEASES = 16;

export interface SupervisorDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ledger: Ledger;
  readonly leaseMs: number;
  /** Sends the message for due work again and counts that in the ledger, without a wait. */
  readonly redispatch: (entry: JobEntry) => void;
}

/**
 * Repairs jobs without progress. A started stage without a new revision for the length of the lease
 * is declared lost. The message for due work that no worker started in that time is sent again, and
 * then after twice, four times that and so on. Not every queue reports whether a message still
 * waits, and of thousands of waiting jobs each would otherwise add one message per lease.
 *
 * The events that renew leases are only followed live. A renewal that was missed only makes the
 * supervisor read the stream.
 */
export class Supervisor implements Reactor {
  readonly name = 'supervisor';
  readonly eventTypes: readonly [] = [];
  readonly liveEventTypes = ['JobProgressed'] as const;
  readonly intervalMs: number;

  constructor(private readonly dependencies: SupervisorDependencies) {
    this.intervalMs = Math.min(1_000, dependencies.leaseMs / 4);
  }

  apply(event: RecordedDomainEvent): boolean {
    this.dependencies.ledger.renewed(jobOf(event) ?? '', event.revision);
    return false;
  }

  async run(): Promise<void> {
    const { ledger, clock, leaseMs, logger } = this.dependencies;
    for (const entry of [...ledger.jobs.values()]) {
      const { job, seenAt, dueAt, resentAt, resends, revision } = entry;
      const [since, limit] = leasedWork(job)
        ? [seenAt, leaseMs]
        : [
            Math.max(dueAt, resentAt),
            backOffMs({ firstMs: leaseMs, longestMs: LONGEST_LEASES * leaseMs }, resends + 1),
          ];
      if (clock.monotonic() - since <= limit) continue;
      try {
        if (leasedWork(job)) await this.lose(entry, revision);
        else this.resendDue(entry);
      } catch (error) {
        logger.warn(
          { err: error, job_id: job.job_id },
          'reactor supervisor: a job could not be inspected; retrying on the next run',
        );
      }
    }
  }

  /** Declares every lease lost, before any worker of this process starts. */
  async loseAll(): Promise<void> {
    for (const entry of [...this.dependencies.ledger.jobs.values()]) {
      if (leasedWork(entry.job)) await this.lose(entry, null);
    }
  }

  /**
   * @param seen newest revision that was known when the lease ran out; null ignores later ones.
   */
  private async lose({ job: { job_id }, cause }: JobEntry, seen: bigint | null): Promise<void> {
    const { store, clock, ledger, logger } = this.dependencies;
    const stream = `job-${job_id}` as const;
    const { state, revision } = await foldStream(store, jobDecider, stream);
    const work = leasedWork(state);
    if (!work || revision === 'none') return;
    if (seen !== null && revision > seen) return ledger.renewed(job_id, revision);
    const events = jobDecider.decide({ type: 'LoseStage', data: work }, state);
    const commandId = uuidv5('lost', job_id, work.stage, String(work.attempt));
    const proposed = proposeEvents(events, { commandId, metadata: systemMetadata(cause, clock) });
    const target = { store, stream, clock, deadline: clock.monotonic() + APPEND_DEADLINE_MS };
    try {
      await appendSurely(target, proposed, revision);
      logger.warn({ job_id, ...work }, 'reactor supervisor: worker lost; its stage starts again');
    } catch (error) {
      if (!isWrongExpectedRevision(error)) throw error;
    }
  }

  private resendDue(entry: JobEntry): void {
    const due = dueWork(entry.job);
    if (!due || due.stage === 'finalize') return;
    const { stage, attempt } = due;
    this.dependencies.logger.info(
      { job_id: entry.job.job_id, stage, attempt },
      'reactor supervisor: no worker started due work; sending its message again',
    );
    this.dependencies.redispatch(entry);
  }
}
