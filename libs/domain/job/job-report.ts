import {
  completedMessage,
  type FailureDetails,
  JOB_MESSAGES,
  JOB_STAGES,
  type JobEvent,
  type JobStage,
  type Stage,
  STAGE_MESSAGES,
  STAGE_PROGRESS,
  type StageAttempt,
  stageDoneMessage,
  stageFailedMessage,
  stageLostMessage,
} from '#contracts';

import type { JobCounterChanges } from './job.commands.js';
import type { JobCounters } from './job.state.js';
import { timelineAfter } from './job-timeline.js';

/** A job as lists and streams report it. */
export interface JobReport extends JobCounters {
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly stage: JobStage;
  /** From 0 to 100; never decreases, even if a stage is retried. */
  readonly progress_percent: number;
  readonly progress_message: string;
  /** The counters of all stages so far, including the current one from its start. */
  readonly stage_details: Readonly<Record<string, number>>;
  readonly retry_count: number;
  readonly error_message: string | null;
  readonly error_details: FailureDetails | null;
  /** ISO 8601. */
  readonly started_at: string | null;
  readonly completed_at: string | null;
  /** The attempts of its stages, oldest first. */
  readonly timeline: readonly StageAttempt[];
}

/** The report of every new job. */
export const QUEUED_JOB: JobReport = Object.freeze({
  status: 'pending',
  stage: JOB_STAGES[0],
  progress_percent: STAGE_PROGRESS.queued,
  progress_message: JOB_MESSAGES.queued,
  stage_details: {},
  files_processed: 0,
  chunks_created: 0,
  chunks_updated: 0,
  chunks_deleted: 0,
  retry_count: 0,
  error_message: null,
  error_details: null,
  started_at: null,
  completed_at: null,
  timeline: [],
});

/** Returns the report after an event of the job; other fields stay unchanged. Pure and total. */
export function reportJob<Report extends JobReport>(
  report: Report,
  event: JobEvent & { readonly occurred_at: string },
): Report {
  const timeline = timelineAfter(report.timeline, event);
  return after(timeline === report.timeline ? report : { ...report, timeline }, event);
}

function after<Report extends JobReport>(
  report: Report,
  event: JobEvent & { readonly occurred_at: string },
): Report {
  switch (event.type) {
    case 'JobRequested':
      return report;
    case 'JobStageStarted': {
      const { stage } = event.data;
      return {
        ...moved(report, STAGE_PROGRESS[stage], STAGE_MESSAGES[stage]),
        status: 'running',
        stage,
        stage_details:
          report.stage === stage ? report.stage_details : begun(stage, report.stage_details),
        started_at: report.started_at ?? event.occurred_at,
      };
    }
    case 'JobProgressed': {
      const { progress_percent, progress_message } = event.data;
      return counted(moved(report, progress_percent, progress_message), event.data);
    }
    case 'JobStageAdvanced': {
      // The finished stage is shown, with its last counters, until the next one starts.
      const { stage, next } = event.data;
      return counted(moved(report, STAGE_PROGRESS[next], stageDoneMessage(stage)), event.data);
    }
    case 'JobStageFailed':
      return {
        ...report,
        retry_count: event.data.retry_count,
        progress_message: stageFailedMessage(event.data),
      };
    case 'JobStageLost': {
      const { stage, retry_count } = event.data;
      return { ...report, retry_count, progress_message: stageLostMessage(stage) };
    }
    case 'JobStaged': {
      const staged = moved(report, STAGE_PROGRESS.finalize, STAGE_MESSAGES.finalize);
      return { ...counted(staged, event.data), stage: 'finalize' };
    }
    case 'JobCompleted': {
      const counts = counted(report, event.data);
      const published = moved(
        counts,
        100,
        completedMessage(counts.stage_details, event.data.file_count),
      );
      return {
        ...published,
        status: 'completed',
        stage: 'finalize',
        completed_at: event.occurred_at,
      };
    }
    case 'JobFailed': {
      const { error_message, error_details } = event.data;
      const failed = {
        ...report,
        status: 'failed',
        progress_message: JOB_MESSAGES.failed,
      } as const;
      return { ...failed, error_message, error_details, completed_at: event.occurred_at };
    }
    case 'JobCancelled':
      return {
        ...report,
        status: 'cancelled',
        progress_message: JOB_MESSAGES.cancelled,
        completed_at: event.occurred_at,
      };
  }
}

/** Reports whether the job is completed, failed or cancelled, so that no event follows. */
export function hasEnded({ status }: Pick<JobReport, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function moved<Report extends JobReport>(
  report: Report,
  percent: number,
  progress_message: string,
): Report {
  return {
    ...report,
    progress_percent: Math.max(report.progress_percent, percent),
    progress_message,
  };
}

/**
 * Returns the initial counters of a stage, before its worker reports progress. The chunk stage has
 * already counted the work of later stages.
 */
function begun(stage: Stage, details: JobReport['stage_details']): JobReport['stage_details'] {
  const total_chunks = details['chunks'] ?? 0;
  switch (stage) {
    case 'fetch':
      return { ...details, files_fetched: 0, bytes_fetched: 0 };
    case 'parse':
      return { ...details, files_parsed: 0, files_skipped: details['files_skipped'] ?? 0 };
    case 'chunk':
      return { ...details, chunks: 0 };
    case 'embed':
      return { ...details, chunks_embedded: 0, total_chunks };
    case 'index':
      return { ...details, chunks_indexed: 0, total_chunks };
    case 'finalize':
      return details;
  }
}

/** Merges counters into the report. Absent counters are unchanged. */
function counted<Report extends JobReport>(
  report: Report,
  changes: JobCounterChanges & { readonly stage_details?: JobReport['stage_details'] | undefined },
): Report {
  return {
    ...report,
    stage_details: { ...report.stage_details, ...changes.stage_details },
    files_processed: changes.files_processed ?? report.files_processed,
    chunks_created: changes.chunks_created ?? report.chunks_created,
    chunks_updated: changes.chunks_updated ?? report.chunks_updated,
    chunks_deleted: changes.chunks_deleted ?? report.chunks_deleted,
  };
}
