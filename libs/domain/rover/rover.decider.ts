import { type Decider, FootnoteError, type RoverEvent } from '#contracts';

import { defineStream } from '../define-stream.js';
import type {
  AttachRepository,
  CompleteRoverJob,
  CompleteRoverStep,
  RoverCommand,
  StartRoverStep,
  WriteRoverTokens,
} from './rover.commands.js';
import { evolveRoverJob } from './rover.evolve.js';
import { isOpenRoverJob, type RoverJob, type RoverState, runningStep } from './rover.state.js';

/**
 * Stream `rover-<id>`: one research job. A job has at most one running step, and its worker appends
 * at the revision of its own last event: the append is the fence.
 */
export const roverDecider: Decider<RoverCommand, RoverState, RoverEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve: evolveRoverJob,
};

export const roverStreams = defineStream({
  pattern: 'rover-<rover_job_id>',
  decider: roverDecider,
  commands: {
    RequestRoverJob: true,
    StartRoverStep: true,
    ReportRoverStep: true,
    ReleaseRoverLease: true,
    AttachRepository: true,
    CompleteRoverStep: true,
    WriteRoverTokens: true,
    CompleteRoverJob: true,
    FailRoverJob: true,
    CancelRoverJob: true,
  },
  events: {
    RoverJobRequested: true,
    RoverJobStarted: true,
    RoverStepStarted: true,
    RoverStepProgressed: true,
    RoverLeaseReleased: true,
    RoverRepositoryAttached: true,
    RoverStepCompleted: true,
    RoverTokensWritten: true,
    RoverJobCompleted: true,
    RoverAnswerContinued: true,
    RoverJobFailed: true,
    RoverJobCancelled: true,
  },
});

/** Events of a worker whose job ended, or whose lease another worker took, are rejected. */
export class RoverLeaseLost extends Error {
  constructor(readonly roverJobId: string) {
    super(`The lease of rover job ${roverJobId} is lost`);
    this.name = 'RoverLeaseLost';
  }
}

function decide(command: RoverCommand, state: RoverState): readonly RoverEvent[] {
  if (command.type === 'RequestRoverJob') {
    return state.status === 'absent' ? [{ type: 'RoverJobRequested', data: command.data }] : [];
  }
  if (state.status === 'absent')
    throw new FootnoteError('rover_job_not_found', 'Rover job not found');
  const { rover_job_id } = state;
  switch (command.type) {
    case 'StartRoverStep':
      return start(command, open(state));
    case 'ReportRoverStep':
      requireLease(command.data, state);
      return [{ type: 'RoverStepProgressed', data: { rover_job_id, ...command.data } }];
    case 'ReleaseRoverLease':
      return isLeased(state)
        ? [{ type: 'RoverLeaseReleased', data: { rover_job_id, ...command.data } }]
        : [];
    case 'AttachRepository':
      return attach(command, state);
    case 'CompleteRoverStep':
      return [completed(command.data, state)];
    case 'WriteRoverTokens':
      return write(command, state);
    case 'CompleteRoverJob':
      return complete(command, state);
    case 'FailRoverJob':
      return isOpenRoverJob(state)
        ? [{ type: 'RoverJobFailed', data: { rover_job_id, ...command.data } }]
        : [];
    case 'CancelRoverJob':
      return cancel(command.data.cancelled_at, state);
  }
}

function start({ data }: StartRoverStep, job: RoverJob): readonly RoverEvent[] {
  const running = runningStep(job);
  if (running && running.step_id !== data.step_id) throw new RoverLeaseLost(job.rover_job_id);
  const known = job.steps.find(({ step_id }) => step_id === data.step_id);
  if (known && known.status !== 'running') throw new RoverLeaseLost(job.rover_job_id);
  const attempt = (known?.attempt ?? 0) + 1;
  const { rover_job_id } = job;
  const { started_at } = data;
  return [
    ...(job.started_at === null
      ? [{ type: 'RoverJobStarted', data: { rover_job_id, started_at } } as const]
      : []),
    { type: 'RoverStepStarted', data: { rover_job_id, ...data, attempt } },
  ];
}

function attach({ data }: AttachRepository, state: RoverJob): readonly RoverEvent[] {
  const job = requireLease(data, state);
  const isAttached = job.attached.some(
    ({ repo, source_id }) => repo === data.repo && source_id === data.source_id,
  );
  if (isAttached) return [];
  const { step_id, repo, commit, source_id, origin } = data;
  const { rover_job_id } = job;
  const attached = { rover_job_id, step_id, repo, commit, source_id, origin };
  return [{ type: 'RoverRepositoryAttached', data: attached }];
}

function completed(data: CompleteRoverStep['data'], state: RoverJob): RoverEvent {
  const { rover_job_id } = requireLease(data, state);
  return { type: 'RoverStepCompleted', data: { rover_job_id, ...data } };
}

function write({ data }: WriteRoverTokens, state: RoverJob): readonly RoverEvent[] {
  const { rover_job_id, token_parts } = requireLease(data, state);
  const { part, sealed } = data;
  if (part < token_parts) return [];
  if (part > token_parts)
    throw new Error(`Part ${part} of the tokens follows ${token_parts} parts`);
  return [{ type: 'RoverTokensWritten', data: { rover_job_id, part, sealed } }];
}

function complete({ data }: CompleteRoverJob, state: RoverJob): readonly RoverEvent[] {
  const { rover_job_id } = state;
  const [answer = null, ...parts] = data.answer;
  return [
    completed(data.step, state),
    ...parts.map((sealed, at): RoverEvent => ({
      type: 'RoverAnswerContinued',
      data: { rover_job_id, part: at + 1, sealed },
    })),
    // The last event of the append, so that a reader of it has the whole answer.
    {
      type: 'RoverJobCompleted',
      data: { rover_job_id, answer, answer_parts: parts.length, completed_at: data.completed_at },
    },
  ];
}

function cancel(cancelled_at: string, state: RoverJob): readonly RoverEvent[] {
  const { rover_job_id, status } = state;
  if (status === 'cancelled') return [];
  if (!isOpenRoverJob(state)) {
    throw new FootnoteError('rover_job_finished', `Rover job ${rover_job_id} is ${status}`);
  }
  return [{ type: 'RoverJobCancelled', data: { rover_job_id, cancelled_at } }];
}

/** Returns whether a worker may have the lease. */
function isLeased(state: RoverJob): boolean {
  return isOpenRoverJob(state) && state.started_at !== null && !state.is_released;
}

function open(state: RoverJob): RoverJob {
  if (isOpenRoverJob(state)) return state;
  throw new RoverLeaseLost(state.rover_job_id);
}

/** @throws RoverLeaseLost unless this attempt at this step is the running one. */
function requireLease(
  { step_id, attempt }: { readonly step_id: string; readonly attempt: number },
  state: RoverJob,
): RoverJob {
  const running = runningStep(open(state));
  if (running?.step_id === step_id && running.attempt === attempt) return state;
  throw new RoverLeaseLost(state.rover_job_id);
}
