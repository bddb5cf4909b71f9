import type { Actor, EventMetadata, JobEvent } from '#contracts';
import { type JobCommand, jobDecider, type JobState } from '#domain';
import {
  type CommandContext,
  type CommandResult,
  type EventStore,
  type FoldedStream,
  handleCommand,
} from '#event-store';
import type { Clock } from '#platform';

/** Maximum time of repeated appends before the caller must retry later. */
export const APPEND_DEADLINE_MS = 10_000;

/**
 * Runs a command on a job's stream; repeated with the same `commandId` it changes nothing.
 * @param known the stream as it was read a moment ago, for a command that is new since then.
 */
export function commandJob(
  engines: { readonly store: EventStore; readonly clock: Clock },
  jobId: string,
  commandId: string,
  command: JobCommand,
  cause: Cause,
  known?: FoldedStream<JobState>,
): Promise<CommandResult<JobState, JobEvent>> {
  const { store, clock } = engines;
  return handleCommand<JobState, JobEvent>({
    store,
    clock,
    decider: jobDecider,
    stream: `job-${jobId}`,
    expected: command.type === 'RequestJob' ? 'any' : 'existing',
    decide: (state) => jobDecider.decide(command, state),
    context: systemContext(commandId, cause, clock),
    known,
  });
}

const PIPELINE: Actor = Object.freeze({ type: 'system', id: 'pipeline' });

/** The cause of a pipeline event. */
export interface Cause {
  readonly tenantId: string;
  readonly correlationId: string;
  /** Id of the event or message that caused it. */
  readonly causationId: string;
  /** The principal that acts. Default: the pipeline. */
  readonly actor?: Actor;
}

/** Metadata of an event that no person asked for directly. */
export function systemMetadata(cause: Cause, clock: Clock): Omit<EventMetadata, 'schema_version'> {
  return {
    tenant_id: cause.tenantId,
    actor: cause.actor ?? PIPELINE,
    correlation_id: cause.correlationId,
    causation_id: cause.causationId,
    occurred_at: clock.now().toISOString(),
  };
}

/**
 * The context of a command that no person asked for directly; the same `commandId` again is the
 * same command.
 */
export function systemContext(commandId: string, cause: Cause, clock: Clock): CommandContext {
  return {
    commandId,
    metadata: systemMetadata(cause, clock),
    deadline: clock.monotonic() + APPEND_DEADLINE_MS,
  };
}
