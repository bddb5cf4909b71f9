import {
  JOB_EVENT_TYPES,
  JOB_MESSAGES,
  STAGE_MESSAGES,
  STAGE_PROGRESS,
  stageDoneMessage,
  stageFailedMessage,
  stageLostMessage,
  type JobEvent,
} from '#contracts';
import { jobsTable, type JobsRow } from '#read-model';

import { defineProjection, type ProjectedEvent } from '../projection/projection.js';

type Handled = ProjectedEvent<JobEvent['type']>;

/** A job as its reader sees it. Progress never goes back, also not when a stage is tried again. */
export const jobsProjection = defineProjection({
  name: 'jobs',
  version: 1,
  table: jobsTable,
  handles: JOB_EVENT_TYPES,
  keyOf: (event) => [event.tenant_id, event.data.job_id],
  evolve: (row, event) => {
    if (event.type === 'JobRequested') return row ?? requested(event);
    return row && after(row, event);
  },
});

function requested({ tenant_id, position, data, occurred_at }: ProjectedEvent<'JobRequested'>): JobsRow {
  return {
    tenant_id,
    job_id: data.job_id,
    position,
    source_id: data.source_id,
    status: 'pending',
    stage: 'queued',
    progress_percent: STAGE_PROGRESS.queued,
    progress_message: JOB_MESSAGES.queued,
    stage_details: {},
    files_processed: 0,
    chunks_created: 0,
    chunks_updated: 0,
    chunks_deleted: 0,
    error_message: null,
    error_details: null,
    retry_count: 0,
    created_at: occurred_at,
    started_at: null,
    completed_at: null,
  };
}

function after(row: JobsRow, event: Exclude<Handled, { type: 'JobRequested' }>): JobsRow {
  const { occurred_at } = event;
  switch (event.type) {
    case 'JobStageStarted':
      return started(row, event);
    case 'JobProgressed':
      return { ...moved(row, event.data.progress_percent, event.data.progress_message), ...counted(row, event.data) };
    case 'JobStageAdvanced':
      // The finished stage is shown, with its last counters, until the next one starts.
      return {
        ...moved(row, STAGE_PROGRESS[event.data.next], stageDoneMessage(event.data.stage)),
        ...counted(row, event.data),
      };
    case 'JobStageFailed':
      return { ...row, retry_count: event.data.retry_count, progress_message: stageFailedMessage(event.data) };
    case 'JobStageLost':
      return {
        ...row,
        retry_count: event.data.retry_count,
        progress_message: stageLostMessage(event.data.stage),
      };
    case 'JobStaged': {
      const staged = moved(row, STAGE_PROGRESS.finalize, STAGE_MESSAGES.finalize);
      return { ...staged, stage: 'finalize', ...counted(row, event.data) };
    }
    case 'JobCompleted':
      return {
        ...ended(row, 'completed', occurred_at, JOB_MESSAGES.completed),
        stage: 'finalize',
        ...counters(event.data),
        progress_percent: 100,
      };
    case 'JobFailed': {
      const { error_message, error_details } = event.data;
      return { ...ended(row, 'failed', occurred_at, JOB_MESSAGES.failed), error_message, error_details };
    }
    case 'JobCancelled':
      return ended(row, 'cancelled', occurred_at, JOB_MESSAGES.cancelled);
  }
}

function started(row: JobsRow, { data, occurred_at }: ProjectedEvent<'JobStageStarted'>): JobsRow {
  return {
    ...moved(row, STAGE_PROGRESS[data.stage], STAGE_MESSAGES[data.stage]),
    status: 'running',
    stage: data.stage,
    stage_details: row.stage === data.stage ? row.stage_details : {},
    started_at: row.started_at ?? occurred_at,
  };
}

function moved(row: JobsRow, percent: number, progress_message: string): JobsRow {
  return { ...row, progress_percent: Math.max(row.progress_percent, percent), progress_message };
}

function ended(row: JobsRow, status: JobsRow['status'], completed_at: string, progress_message: string): JobsRow {
  return { ...row, status, completed_at, progress_message };
}

type Counters = Pick<JobsRow, 'files_processed' | 'chunks_created' | 'chunks_updated' | 'chunks_deleted'>;
type CounterChanges = { readonly [Name in keyof Counters]?: number | undefined };

/** Absent counters are unchanged. */
function counters(changes: CounterChanges, row?: Counters): Counters {
  return {
    files_processed: changes.files_processed ?? row?.files_processed ?? 0,
    chunks_created: changes.chunks_created ?? row?.chunks_created ?? 0,
    chunks_updated: changes.chunks_updated ?? row?.chunks_updated ?? 0,
    chunks_deleted: changes.chunks_deleted ?? row?.chunks_deleted ?? 0,
  };
}

function counted(row: JobsRow, data: CounterChanges & Pick<JobsRow, 'stage_details'>): Partial<JobsRow> {
  return { stage_details: data.stage_details, ...counters(data, row) };
}
