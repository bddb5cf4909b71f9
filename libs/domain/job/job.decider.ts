import {
  type Decider,
  type FailureDetails,
  FootnoteError,
  type JobEvent,
  nextStage,
  type Stage,
} from '#contracts';

import { defineStream } from '../define-stream.js';
import type {
  AdvanceStage,
  CompleteJob,
  CompleteUnchanged,
  FailStage,
  JobCommand,
  LoseStage,
  RecordProgress,
  StageGeneration,
  StartStage,
} from './job.commands.js';
import { evolveJob } from './job.evolve.js';
import { isOpen } from './job.queries.js';
import type { JobState, OpenJob } from './job.state.js';

/**
 * Stream `job-<id>`: one sync from request to its one terminal event, after which nothing follows.
 * The stream contains the lease: JobStageStarted takes it and JobProgressed renews it. Each append
 * states its exact revision, which is the fence.
 */
export const jobDecider: Decider<JobCommand, JobState, JobEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve: evolveJob,
};

export const jobStreams = defineStream({
  pattern: 'job-<job_id>',
  decider: jobDecider,
  commands: {
    RequestJob: true,
    StartStage: true,
    RecordProgress: true,
    AdvanceStage: true,
    StageGeneration: true,
    CompleteUnchanged: true,
    FailStage: true,
    LoseStage: true,
    CompleteJob: true,
    FailJob: true,
    CancelJob: true,
  },
  events: {
    JobRequested: true,
    JobStageStarted: true,
    JobProgressed: true,
    JobStageAdvanced: true,
    JobStageFailed: true,
    JobStageLost: true,
    JobStaged: true,
    JobCompleted: true,
    JobFailed: true,
    JobCancelled: true,
  },
});

function decide(command: JobCommand, state: JobState): readonly JobEvent[] {
  if (command.type === 'RequestJob') {
    return state.status === 'absent' ? [{ type: 'JobRequested', data: command.data }] : [];
  }
  if (state.status === 'absent') throw new FootnoteError('job_not_found', 'Job not found');
  if (!isOpen(state)) return afterTheEnd(command, state);
  switch (command.type) {
    case 'StartStage':
      return startStage(command, state);
    case 'RecordProgress':
      return recordProgress(command, state);
    case 'AdvanceStage':
      return advanceStage(command, state);
    case 'StageGeneration':
      return stageGeneration(command, state);
    case 'CompleteUnchanged':
      return completeUnchanged(command, state);
    case 'FailStage':
      return failStage(command, state);
    case 'LoseStage':
      return loseStage(command, state);
    case 'CompleteJob':
      return completeJob(command, state);
    case 'FailJob':
      return [failed(state, command.data.error_message, command.data.error_details)];
    case 'CancelJob':
      return [{ type: 'JobCancelled', data: { job_id: state.job_id, source_id: state.source_id } }];
  }
}

/**
 * Handles commands after the end. Late reports of workers change nothing; a late cancel is rejected
 * unless the job is already cancelled.
 */
function afterTheEnd(
  command: JobCommand,
  state: Exclude<JobState, { status: 'absent' }>,
): readonly JobEvent[] {
  if (command.type === 'CancelJob' && state.status !== 'cancelled') {
    throw new FootnoteError(
      'job_finished',
      `Job ${state.job_id} is ${state.status} and cannot be cancelled`,
    );
  }
  return [];
}

function startStage({ data }: StartStage, state: OpenJob): readonly JobEvent[] {
  if (state.work.kind === 'started' || !isCurrent(state, data)) return [];
  const { stage, attempt, worker } = data;
  return [{ type: 'JobStageStarted', data: { job_id: state.job_id, stage, attempt, worker } }];
}

function recordProgress({ data }: RecordProgress, state: OpenJob): readonly JobEvent[] {
  if (!isRunning(state, data)) return [];
  return [{ type: 'JobProgressed', data: { job_id: state.job_id, ...data } }];
}

function advanceStage({ data }: AdvanceStage, state: OpenJob): readonly JobEvent[] {
  if (!isRunning(state, data)) return [];
  const next = nextStage(data.stage);
  if (next === null || next === 'finalize') {
    throw new Error(
      `Stage ${data.stage} must end by StageGeneration or CompleteJob (got AdvanceStage)`,
    );
  }
  return [{ type: 'JobStageAdvanced', data: { job_id: state.job_id, next, ...data } }];
}

function stageGeneration({ data }: StageGeneration, state: OpenJob): readonly JobEvent[] {
  if (!isRunning(state, { stage: 'index', attempt: data.attempt })) return [];
  const { job_id, source_id, generation } = state;
  return [{ type: 'JobStaged', data: { job_id, source_id, generation, ...data } }];
}

function completeUnchanged({ data }: CompleteUnchanged, state: OpenJob): readonly JobEvent[] {
  if (!isRunning(state, { stage: 'fetch', attempt: data.attempt })) return [];
  if (state.base === null)
    throw new Error(`Job ${state.job_id} cannot be unchanged: it has no base`);
  const { job_id, source_id, base, url } = state;
  const { version_ref, file_count, chunk_count, bytes, stage_details } = data;
  const outcome = {
    version_ref,
    file_count,
    chunk_count,
    ...(bytes !== undefined && { bytes }),
    stage_details,
  };
  const none = { files_processed: 0, chunks_created: 0, chunks_updated: 0, chunks_deleted: 0 };
  const { generation, manifest } = base;
  const about = { job_id, source_id, generation, manifest, url };
  return [{ type: 'JobCompleted', data: { ...about, ...outcome, ...none } }];
}

function failStage({ data }: FailStage, state: OpenJob): readonly JobEvent[] {
  if (!isRunning(state, data)) return [];
  const { stage, attempt, error_message, error_details, retryable, retry_at, inputLost } = data;
  const about = { job_id: state.job_id, stage, attempt, error_message, error_details, retryable };
  if (retryable && state.retry_count < state.max_retries) {
    const next = inputLost ? { next: 'fetch' as const } : {};
    const retry_count = state.retry_count + 1;
    return [{ type: 'JobStageFailed', data: { ...about, retry_count, retry_at, ...next } }];
  }
  return [
    { type: 'JobStageFailed', data: { ...about, retry_count: state.retry_count, retry_at: null } },
    failed(state, error_message, error_details),
  ];
}

/**
 * Number of lost workers, over the whole job, after which the job fails. A job that kills its
 * process would kill every later one too, with the work of all other tenants. Progress before a
 * death is therefore no reason to continue.
 */
const MAX_DEATHS = 3;

/**
 * Handles a lost attempt. It counts as a retry only if it progressed no further than earlier
 * attempts. It counts as a death unless the holder released the lease, so ordinary restarts never
 * count.
 */
function loseStage({ data }: LoseStage, state: OpenJob): readonly JobEvent[] {
  if (state.work.kind !== 'started' || !isCurrent(state, data)) return [];
  const { stage, attempt, released = false, handedBack = released } = data;
  const deaths = state.deaths + (handedBack ? 0 : 1);
  const counts = !state.work.progressed && !released;
  const exhausted = counts && state.retry_count >= state.max_retries;
  const retry_count = state.retry_count + (counts && !exhausted ? 1 : 0);
  const lost: JobEvent = {
    type: 'JobStageLost',
    data: { job_id: state.job_id, stage, attempt, retry_count, deaths },
  };
  if (!exhausted && deaths < MAX_DEATHS) return [lost];
  const times = deaths === 1 ? 'once' : `${deaths} times`;
  const text = `The worker ended without notice ${times} while it ran this job, the last time in stage ${stage}`;
  return [lost, failed(state, text, null)];
}

function completeJob({ data }: CompleteJob, state: OpenJob): readonly JobEvent[] {
  if (state.staged === null) return [];
  const { job_id, source_id, generation, staged, counters, url } = state;
  if (data.loaded_chunk_count !== staged.chunk_count) {
    const found = `The index loaded ${data.loaded_chunk_count} of ${staged.chunk_count} chunks`;
    return [failed(state, found, null)];
  }
  const about = { job_id, source_id, generation, url };
  return [{ type: 'JobCompleted', data: { ...about, ...staged, ...counters } }];
}

function failed(
  state: OpenJob,
  error_message: string,
  error_details: FailureDetails | null,
): JobEvent {
  const { job_id, source_id } = state;
  return { type: 'JobFailed', data: { job_id, source_id, error_message, error_details } };
}

interface Work {
  readonly stage: Stage;
  readonly attempt: number;
}

function isCurrent(state: OpenJob, work: Work): boolean {
  return state.staged === null && state.stage === work.stage && state.attempt === work.attempt;
}

function isRunning(state: OpenJob, work: Work): boolean {
  return state.work.kind === 'started' && isCurrent(state, work);
}
