import { JOB_STAGES, STAGE_PROGRESS, type JobEvent, type JobStage } from '#contracts';

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
    progress_message: 'Queued',
    stage_details: {},
    retry_count: 0,
    error_message: null,
    error_details: null,
  };
}

/** The progress after an event. Pure and total. */
export function afterEvent(progress: JobProgress, event: JobEvent): JobProgress {
  switch (event.type) {
    case 'JobRequested':
      return queued(event.data.job_id);
    case 'JobStageStarted':
      return { ...atStage(progress, event.data.stage), status: 'running' };
    case 'JobProgressed': {
      const { stage, progress_percent, progress_message, stage_details } = event.data;
      return { ...progress, status: 'running', stage, progress_percent, progress_message, stage_details };
    }
    case 'JobStageAdvanced':
      return { ...atStage(progress, event.data.next), status: 'running', stage_details: event.data.stage_details };
    case 'JobStageFailed': {
      const { retry_at, retry_count, error_message } = event.data;
      if (retry_at === null) return { ...progress, retry_count };
      return { ...progress, retry_count, progress_message: `${error_message}; retrying at ${retry_at}` };
    }
    case 'JobStageLost':
      return { ...progress, retry_count: event.data.retry_count, progress_message: 'Taken up by another worker' };
    case 'JobStaged':
      return { ...atStage(progress, 'finalize'), status: 'running', stage_details: event.data.stage_details };
    case 'JobCompleted':
      return {
        ...progress,
        status: 'completed',
        stage: 'finalize',
        progress_percent: 100,
        progress_message: 'Completed',
      };
    case 'JobFailed': {
      const { error_message, error_details } = event.data;
      return { ...progress, status: 'failed', progress_message: 'Failed', error_message, error_details };
    }
    case 'JobCancelled':
      return { ...progress, status: 'cancelled', progress_message: 'Cancelled' };
  }
}

export function hasEnded({ status }: JobProgress): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function atStage(progress: JobProgress, stage: Exclude<JobStage, 'queued'>): JobProgress {
  if (progress.stage === stage) return progress;
  return {
    ...progress,
    stage,
    progress_percent: Math.max(progress.progress_percent, STAGE_PROGRESS[stage]),
    progress_message: '',
    stage_details: {},
  };
}
