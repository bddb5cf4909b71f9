import { NO_ROVER_USAGE, type RoverEvent, type RoverUsage } from '#contracts';

import {
  isOpenRoverJob,
  type RoverJob,
  type RoverState,
  type RoverStep,
  runningStep,
} from './rover.state.js';

/** Folds an event of a job. No event after its end changes it. */
export function evolveRoverJob(state: RoverState, event: RoverEvent): RoverState {
  if (event.type === 'RoverJobRequested') return state.status === 'absent' ? opened(event) : state;
  return isOpenRoverJob(state) ? evolveOpen(state, event) : state;
}

function opened({ data }: Extract<RoverEvent, { type: 'RoverJobRequested' }>): RoverJob {
  const { consumption_id = null, ...request } = data;
  return {
    ...request,
    consumption_id,
    status: 'pending',
    started_at: null,
    ended_at: null,
    is_released: false,
    steps: [],
    attached: [],
    usage: NO_ROVER_USAGE,
    token_parts: 0,
    error_message: null,
  };
}

function evolveOpen(job: RoverJob, event: RoverEvent): RoverJob {
  switch (event.type) {
    case 'RoverJobStarted':
      return { ...job, status: 'running', started_at: event.data.started_at };
    case 'RoverStepStarted':
      return started(job, event.data);
    case 'RoverStepProgressed': {
      const { step_id, details } = event.data;
      return withStep(job, step_id, (step) => ({
        ...step,
        details: { ...step.details, ...details },
      }));
    }
    case 'RoverLeaseReleased': {
      const running = runningStep(job);
      const released = { ...job, is_released: true };
      return running
        ? withStep(released, running.step_id, (step) => ({ ...step, releases: step.releases + 1 }))
        : released;
    }
    case 'RoverRepositoryAttached': {
      const { repo, commit, source_id, origin } = event.data;
      return { ...job, attached: [...job.attached, { repo, commit, source_id, origin }] };
    }
    case 'RoverStepCompleted': {
      const { step_id, outcome, reason = null, output, details, completed_at, usage } = event.data;
      const { planned = null } = event.data;
      return withStep({ ...job, usage: addRoverUsage(job.usage, usage) }, step_id, (step) => ({
        ...step,
        status: outcome,
        reason,
        output,
        completed_at,
        planned,
        details: { ...step.details, ...details },
      }));
    }
    case 'RoverTokensWritten':
      return { ...job, token_parts: event.data.part + 1 };
    case 'RoverJobCompleted':
      return { ...job, status: 'completed', ended_at: event.data.completed_at };
    case 'RoverJobFailed': {
      const { error_message, failed_at } = event.data;
      return { ...job, status: 'failed', ended_at: failed_at, error_message };
    }
    case 'RoverJobCancelled':
      return { ...job, status: 'cancelled', ended_at: event.data.cancelled_at };
    default:
      return job;
  }
}

function started(before: RoverJob, data: StepStarted): RoverJob {
  const job = { ...before, is_released: false };
  const known = job.steps.some(({ step_id }) => step_id === data.step_id);
  if (known) {
    const { attempt, worker } = data;
    return withStep(job, data.step_id, (step) => ({ ...step, attempt, worker }));
  }
  const step: RoverStep = {
    step_id: data.step_id,
    kind: data.kind,
    round: data.round,
    ordinal: data.ordinal,
    repo: data.repo ?? null,
    attempt: data.attempt,
    releases: 0,
    worker: data.worker,
    started_at: data.started_at,
    status: 'running',
    reason: null,
    completed_at: null,
    details: {},
    output: null,
    planned: null,
  };
  return { ...job, steps: [...job.steps, step] };
}

type StepStarted = Extract<RoverEvent, { type: 'RoverStepStarted' }>['data'];

function withStep(job: RoverJob, stepId: string, change: (step: RoverStep) => RoverStep): RoverJob {
  const steps = job.steps.map((step) => (step.step_id === stepId ? change(step) : step));
  return { ...job, steps };
}

/** Returns the sum of two usages. */
function addRoverUsage(a: RoverUsage, b: RoverUsage): RoverUsage {
  return {
    searches: a.searches + b.searches,
    model_calls: a.model_calls + b.model_calls,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
  };
}
