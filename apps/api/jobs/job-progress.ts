import {
  JOB_MESSAGES,
  JOB_STAGES,
  STAGE_MESSAGES,
  STAGE_PROGRESS,
  stageDoneMessage,
  stageFailedMessage,
  stageLostMessage,
  type JobEvent,
  type JobStage,
  type Stage,
} from '#contracts';

/** A job's progress as its stream shows it after one event. */
export interface JobProgress {
  readonly job_id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly stage: JobStage;
  readonly progress_percent: number;
  readonly progress_message: string;
  readonly stage_details: Readonly<Record<string, number>>;
  readonly retry_count: number;
  readonly error_message: string | null;
  readonly error_details: Readonly<Record<string, unknown>> | null;
}

/** Where every job begins. */
export function queued(jobId: string): JobProgress {
  return {
    job_id: jobId,
    status: 'pending',
    stage: JOB_STAGES[0],
    progress_percent: 0,
    progress_message: JOB_MESSAGES.queued,
    stage_details: {},
    retry_count: 0,
    error_message: null,
    error_details: null,
  };
}

/**
 * The progress after an event: at every event the same as GET /jobs/{id} shows, progress that never goes back included.
 * Pure and total.
 */
export function afterEvent(progress: JobProgress, event: JobEvent): JobProgress {
  switch (event.type) {
    case 'JobRequested':
      return queued(event.data.job_id);
    case 'JobStageStarted':
      return started(progress, event.data.stage);
    case 'JobProgressed': {
      const { progress_percent, progress_message, stage_details } = event.data;
      return { ...moved(progress, progress_percent, progress_message), stage_details };
    }
    case 'JobStageAdvanced': {
      // The finished stage is shown, with its last counters, until the next one starts.
      const { stage, next, stage_details } = event.data;
      return { ...moved(progress, STAGE_PROGRESS[next], stageDoneMessage(stage)), stage_details };
    }
    case 'JobStageFailed':
      return {
        ...progress,
        retry_count: event.data.retry_count,
        progress_message: stageFailedMessage(event.data),
      };
    case 'JobStageLost': {
      const { stage, retry_count } = event.data;
      return { ...progress, retry_count, progress_message: stageLostMessage(stage) };
    }
    case 'JobStaged': {
      const staged = moved(progress, STAGE_PROGRESS.finalize, STAGE_MESSAGES.finalize);
      return { ...staged, stage: 'finalize', stage_details: event.data.stage_details };
    }
    case 'JobCompleted':
      return { ...moved(progress, 100, JOB_MESSAGES.completed), status: 'completed', stage: 'finalize' };
    case 'JobFailed': {
      const { error_message, error_details } = event.data;
      return { ...progress, status: 'failed', progress_message: JOB_MESSAGES.failed, error_message, error_details };
    }
    case 'JobCancelled':
      return { ...progress, status: 'cancelled', progress_message: JOB_MESSAGES.cancelled };
  }
}

export function hasEnded({ status }: JobProgress): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function started(progress: JobProgress, stage: Stage): JobProgress {
  return {
    ...moved(progress, STAGE_PROGRESS[stage], STAGE_MESSAGES[stage]),
    status: 'running',
    stage,
    stage_details: progress.stage === stage ? progress.stage_details : {},
  };
}

function moved(progress: JobProgress, percent: number, progress_message: string): JobProgress {
  return { ...progress, progress_percent: Math.max(progress.progress_percent, percent), progress_message };
}
