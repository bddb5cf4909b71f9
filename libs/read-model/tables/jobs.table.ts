import type { Audience, FailureDetails, JobStage, StageAttempt } from '#contracts';

import { defineTable } from './define-table.js';

const JOB_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface JobsRow {
  readonly tenant_id: string;
  readonly job_id: string;
  /** Place in the log of the request: newest first is by position, descending. */
  readonly position: string;
  readonly source_id: string;
  /** Of the source. */
  readonly audience: Audience;
  readonly status: JobStatus;
  readonly stage: JobStage;
  readonly progress_percent: number;
  readonly progress_message: string;
  readonly stage_details: Readonly<Record<string, number>>;
  readonly files_processed: number;
  readonly chunks_created: number;
  readonly chunks_updated: number;
  readonly chunks_deleted: number;
  readonly error_message: string | null;
  readonly error_details: FailureDetails | null;
  readonly retry_count: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  /** The attempts of its stages, oldest first. */
  readonly timeline: readonly StageAttempt[];
}

export const jobsTable = defineTable<JobsRow>('jobs', {
  columns: {
    tenant_id: { type: 'text' },
    job_id: { type: 'text' },
    position: { type: 'text' },
    source_id: { type: 'text' },
    audience: { type: 'json' },
    status: { type: 'text' },
    stage: { type: 'text' },
    progress_percent: { type: 'integer' },
    progress_message: { type: 'text' },
    stage_details: { type: 'json' },
    files_processed: { type: 'integer' },
    chunks_created: { type: 'integer' },
    chunks_updated: { type: 'integer' },
    chunks_deleted: { type: 'integer' },
    error_message: { type: 'text', nullable: true },
    error_details: { type: 'json', nullable: true },
    retry_count: { type: 'integer' },
    created_at: { type: 'timestamp' },
    started_at: { type: 'timestamp', nullable: true },
    completed_at: { type: 'timestamp', nullable: true },
    timeline: { type: 'json' },
  },
  key: ['tenant_id', 'job_id'],
  indexes: ['tenant_id, position desc', 'tenant_id, source_id, position desc'],
});
