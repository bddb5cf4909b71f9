import type { Actor } from '#contracts';
import { sourceDecider } from '#domain';
import { type EventStore, handleCommand } from '#event-store';
import { type Clock, uuidv5 } from '#platform';

import { type Cause, systemContext } from '../log/commands.js';
import { openSyncJob } from '../log/open-sync-job.js';
import type { DueSync } from './schedule.js';

const SCHEDULER: Actor = Object.freeze({ type: 'system', id: 'scheduler' });

export interface StartDueSyncDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly maxRetries: number;
}

/**
 * Makes the two appends of a sync, as a request does: SourceSyncRequested at the source's revision,
 * then JobRequested. All ids are derived from the source and the job before. So two callers that
 * find the same sync due start it once, and a caller after a requested sync starts nothing. If this
 * process dies between the appends, the dispatcher repeats the second.
 *
 * @returns the job, or null where the sync is not due any more.
 */
export async function startDueSync(
  dependencies: StartDueSyncDependencies,
  { sourceId, tenantId, afterJobId, queuedBy }: DueSync,
): Promise<string | null> {
  const { store, clock, maxRetries } = dependencies;
  const commandId = uuidv5('due-sync', sourceId, afterJobId ?? '');
  const jobId = uuidv5('job', commandId);
  const cause: Cause = {
    tenantId,
    correlationId: queuedBy?.correlationId ?? commandId,
    causationId: queuedBy?.eventId ?? commandId,
    actor: SCHEDULER,
  };
  const { state, events } = await handleCommand({
    store,
    clock,
    decider: sourceDecider,
    stream: `source-${sourceId}`,
    expected: 'existing',
    decide: (current) =>
      sourceDecider.decide(
        { type: 'StartDueSync', data: { job_id: jobId, after_job_id: afterJobId } },
        current,
      ),
    context: systemContext(commandId, cause, clock),
  });
  if (events.length === 0 || state.status === 'absent') return null;
  await openSyncJob(dependencies, state, cause, maxRetries);
  return jobId;
}
