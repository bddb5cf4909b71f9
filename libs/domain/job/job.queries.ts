import type { Stage } from '#contracts';

import type {
  CancelledJob,
  CompletedJob,
  FailedJob,
  JobBase,
  JobState,
  OpenJob,
} from './job.state.js';

/** Work that is due for a worker, or for the dispatcher if the stage is `finalize`. */
export interface DueWork {
  readonly stage: Stage;
  readonly attempt: number;
  /** Earliest start (ISO 8601). Default: immediately. */
  readonly at?: string;
}

/** Reports whether the job is pending or running. */
export function isOpen(job: JobState): job is OpenJob {
  return job.status === 'pending' || job.status === 'running';
}

/**
 * Reports whether the job is completed, failed or cancelled, which is final. A job that does not
 * exist is not terminal: if a source names it, its first event is about to be appended.
 */
export function isTerminal(job: JobState): job is CompletedJob | FailedJob | CancelledJob {
  return job.status === 'completed' || job.status === 'failed' || job.status === 'cancelled';
}

/** Returns the due work that no worker has started, or null. */
export function dueWork(job: JobState): DueWork | null {
  if (!isOpen(job) || job.work.kind === 'started') return null;
  const { stage, attempt, work } = job;
  return work.kind === 'waiting' ? { stage, attempt, at: work.retry_at } : { stage, attempt };
}

/** Returns the attempt whose worker holds the lease, or null. */
export function leasedWork(
  job: JobState,
): { readonly stage: Stage; readonly attempt: number } | null {
  if (!isOpen(job) || job.work.kind !== 'started') return null;
  return { stage: job.stage, attempt: job.attempt };
}

/**
 * Returns the base of the next sync of the source: the generation that this job published,
 * otherwise the base of this job.
 */
export function baseOf(job: JobState): JobBase | null {
  if (job.status === 'absent') return null;
  return job.status === 'completed' ? job.published : job.base;
}

/**
 * Returns the number of the generation that the next job of the source stages. Numbers of
 * unpublished generations are not reused.
 */
export function nextGeneration(job: JobState): number {
  return job.status === 'absent' ? 1 : job.generation + 1;
}
