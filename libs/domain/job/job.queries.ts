import type { Stage } from '#contracts';

import type {
  CancelledJob,
  CompletedJob,
  FailedJob,
  JobBase,
  JobState,
  OpenJob,
} from './job.state.js';

/** Work that some worker, or for `finalize` the dispatcher, has to carry out. */
export interface DueWork {
  readonly stage: Stage;
  readonly attempt: number;
  /** Not before this time (ISO 8601); absent: at once. */
  readonly at?: string;
}

/** Pending or running. */
export function isOpen(job: JobState): job is OpenJob {
  return job.status === 'pending' || job.status === 'running';
}

/**
 * Completed, failed or cancelled: for ever. A job that does not exist is not terminal; where a
 * source names it, its first event is on the way.
 */
export function isTerminal(job: JobState): job is CompletedJob | FailedJob | CancelledJob {
  return job.status === 'completed' || job.status === 'failed' || job.status === 'cancelled';
}

/** The work that is due and that nobody has started, or null. */
export function dueWork(job: JobState): DueWork | null {
  if (!isOpen(job) || job.work.kind === 'started') return null;
  const { stage, attempt, work } = job;
  return work.kind === 'waiting' ? { stage, attempt, at: work.retry_at } : { stage, attempt };
}

/** The attempt whose worker holds the lease, or null. */
export function leasedWork(
  job: JobState,
): { readonly stage: Stage; readonly attempt: number } | null {
  if (!isOpen(job) || job.work.kind !== 'started') return null;
  return { stage: job.stage, attempt: job.attempt };
}

/**
 * What the next sync of the source starts from: what this job published, else what it started from
 * itself.
 */
export function baseOf(job: JobState): JobBase | null {
  if (job.status === 'absent') return null;
  return job.status === 'completed' ? job.published : job.base;
}

/**
 * The number of the generation that the next job of the source stages. Numbers of unpublished
 * generations are not reused.
 */
export function nextGeneration(job: JobState): number {
  return job.status === 'absent' ? 1 : job.generation + 1;
}
