import { defineTable } from './define-table.js';

/** Statuses of rover jobs, to list and count them. The stream of a job has everything else. */
export interface RoverJobsRow {
  readonly tenant_id: string;
  readonly rover_job_id: string;
  /** Position of its request in the log; newest first is descending. */
  readonly position: string;
  /** True until the job ends. */
  readonly open: boolean;
  readonly created_at: string;
}

export const roverJobsTable = defineTable<RoverJobsRow>('rover_jobs', {
  columns: {
    tenant_id: { type: 'text' },
    rover_job_id: { type: 'text' },
    position: { type: 'text' },
    open: { type: 'boolean' },
    created_at: { type: 'timestamp' },
  },
  key: ['tenant_id', 'rover_job_id'],
  indexes: ['tenant_id, position desc'],
});
