import type { JobReport } from '#domain';

/**
 * A job's progress as its stream shows it after one event: what `GET /jobs/{id}` shows then, less
 * counters and times.
 */
export interface JobProgress extends Omit<JobReport, keyof Untold> {
  readonly job_id: string;
}

type Untold = Pick<
  JobReport,
  | 'files_processed'
  | 'chunks_created'
  | 'chunks_updated'
  | 'chunks_deleted'
  | 'started_at'
  | 'completed_at'
  | 'timeline'
>;

export function progressOf(job_id: string, report: JobReport): JobProgress {
  return {
    job_id,
    status: report.status,
    stage: report.stage,
    progress_percent: report.progress_percent,
    progress_message: report.progress_message,
    stage_details: report.stage_details,
    retry_count: report.retry_count,
    error_message: report.error_message,
    error_details: report.error_details,
  };
}
