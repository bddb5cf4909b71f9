import { roverJobsTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

export const roverJobsProjection = defineProjection({
  name: 'rover_jobs',
  version: 1,
  table: roverJobsTable,
  handles: ['RoverJobRequested', 'RoverJobCompleted', 'RoverJobFailed', 'RoverJobCancelled'],
  keyOf: (event) => [event.tenant_id, event.data.rover_job_id],
  evolve: (row, { tenant_id, occurred_at, position, type, data }) => {
    if (type !== 'RoverJobRequested') return row && { ...row, open: false };
    const { rover_job_id } = data;
    return row ?? { tenant_id, rover_job_id, position, open: true, created_at: occurred_at };
  },
});
