import { dueWork, jobDecider, leasedWork } from '#domain';
import {
  appendSurely,
  type EventStore,
  foldStream,
  isWrongExpectedRevision,
  proposeEvents,
} from '#event-store';
import { backOffMs, type Clock, type Logger, uuidv5 } from '#platform';

import { APPEND_DEADLINE_MS, systemMetadata } from '../log/commands.js';
import type { JobEntry, Ledger } from './ledger.js';

/** Longest time between two messages for the same work, in leases. */
const LONGEST_LEASES = 16;

export interface SupervisorDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ledger: Ledger;
  readonly leaseMs: number;
  /**
   * Sends the due work of a job once more and notes that in the ledger; does not wait for the
   * queue.
   */
  readonly redispatch: (entry: JobEntry) => void;
}

/**
 * Looks after the jobs that nobody moves. A started stage without a new revision for the lease's
 * length is lost. Work that has been due as long and that nobody has started is sent once more, and
 * again after twice that, four times that and so on: not every queue tells whether its message is
 * among what waits, and one too many changes nothing. Of thousands of jobs that wait for their
 * turn, each would otherwise send another one every lease.
 */
export class Supervisor {
  constructor(private readonly dependencies: SupervisorDependencies) {}

  async inspect(): Promise<void> {
    const { ledger, clock, leaseMs, logger } = this.dependencies;
    for (const entry of [...ledger.jobs.values()]) {
      const { job, seenAt, dueAt, resentAt, resends, revision } = entry;
      const [since, patience] = leasedWork(job)
        ? [seenAt, leaseMs]
        : [
            Math.max(dueAt, resentAt),
            backOffMs({ firstMs: leaseMs, longestMs: LONGEST_LEASES * leaseMs }, resends + 1),
          ];
      if (clock.monotonic() - since <= patience) continue;
      try {
        if (leasedWork(job)) await this.lose(entry, revision);
        else this.recallDue(entry);
      } catch (error) {
        logger.warn(
          { err: error, job_id: job.job_id },
          'A job could not be looked after and is next time',
        );
      }
    }
  }

  /**
   * Declares every lease lost: the process that held them is gone. Before any worker of this one
   * starts.
   */
  async loseAll(): Promise<void> {
    for (const entry of [...this.dependencies.ledger.jobs.values()]) {
      if (leasedWork(entry.job)) await this.lose(entry, null);
    }
  }

  /**
   * @param seen the newest revision that was known when the lease ran out; null loses it whatever
   * came since.
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
      logger.warn({ job_id, ...work }, 'A worker was lost');
    } catch (error) {
      if (!isWrongExpectedRevision(error)) throw error;
    }
  }

  private recallDue(entry: JobEntry): void {
    const due = dueWork(entry.job);
    if (!due || due.stage === 'finalize') return;
    const { stage, attempt } = due;
    this.dependencies.logger.info(
      { job_id: entry.job.job_id, stage, attempt },
      'Nobody has started due work; it is sent again',
    );
    this.dependencies.redispatch(entry);
  }
}
