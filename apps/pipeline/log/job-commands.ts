import { jobDecider, type JobCommand, type JobState } from '#domain';
import { handleCommand, type CommandResult, type EventStore } from '#event-store';
import type { JobEvent } from '#contracts';
import type { Clock } from '#platform';

import { systemMetadata, type Cause } from './system-metadata.js';

/** How long an append may be repeated before the caller has to try again later. */
export const APPEND_DEADLINE_MS = 10_000;

/** Runs a command on a job's stream; repeated with the same `commandId` it changes nothing. */
export function commandJob(
  engines: { readonly store: EventStore; readonly clock: Clock },
  jobId: string,
  commandId: string,
  command: JobCommand,
  cause: Cause,
): Promise<CommandResult<JobState, JobEvent>> {
  const { store, clock } = engines;
  return handleCommand<JobState, JobEvent>({
    store,
    clock,
    decider: jobDecider,
    stream: `job-${jobId}`,
    expected: command.type === 'RequestJob' ? 'any' : 'existing',
    decide: (state) => jobDecider.decide(command, state),
    context: {
      commandId,
      metadata: systemMetadata(cause, clock),
      deadline: clock.monotonic() + APPEND_DEADLINE_MS,
    },
  });
}
