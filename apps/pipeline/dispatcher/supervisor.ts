import { dueWork, jobDecider, leasedWork } from '#domain';
import { appendSurely, foldStream, isWrongExpectedRevision, proposeEvents, type EventStore } from '#event-store';
import type { WorkQueue } from '#queue';
import { uuidv5, type Clock, type Logger } from '#platform';

import { APPEND_DEADLINE_MS } from '../log/job-commands.js';
import { systemMetadata } from '../log/system-metadata.js';
import { topicOf } from '../topics.js';
import type { JobEntry, Ledger } from './ledger.js';

export interface SupervisorDependencies {
  readonly store: EventStore;
  readonly queue: WorkQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ledger: Ledger;
  readonly leaseMs: number;
  /** Publishes the due work of a job again. */
  readonly redispatch: (entry: JobEntry) => Promise<void>;
}

/**
 * Looks after the jobs that nobody moves: a started stage without a new revision for the lease's length is lost, and work
 * that has been due as long while its topic is empty is published again.
 */
export class Supervisor {
  constructor(private readonly deps: SupervisorDependencies) {}

  async inspect(): Promise<void> {
    const { ledger, clock, leaseMs } = this.deps;
    for (const entry of [...ledger.jobs.values()]) {
      if (clock.monotonic() - entry.seenAt <= leaseMs) continue;
      if (leasedWork(entry.job)) await this.lose(entry, entry.revision);
      else await this.recallDue(entry);
    }
  }

  /** Declares every lease lost: the process that held them is gone. Before any worker of this one starts. */
  async loseAll(): Promise<void> {
    for (const entry of [...this.deps.ledger.jobs.values()]) {
      if (leasedWork(entry.job)) await this.lose(entry, null);
    }
  }

  /** @param seen the newest revision that was known when the lease ran out; null loses it whatever came since. */
  private async lose({ job: { job_id }, cause }: JobEntry, seen: bigint | null): Promise<void> {
    const { store, clock, ledger, logger } = this.deps;
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

  private async recallDue(entry: JobEntry): Promise<void> {
    const due = dueWork(entry.job);
    if (!due || due.at !== undefined || due.stage === 'finalize') return;
    if ((await this.deps.queue.depth(topicOf(due.stage))).waiting > 0) return;
    this.deps.logger.warn(
      { job_id: entry.job.job_id, stage: due.stage },
      'Due work was not in the queue; published again',
    );
    await this.deps.redispatch(entry);
  }
}
