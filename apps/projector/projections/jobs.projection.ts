import { JOB_EVENT_TYPES, TENANT_AUDIENCE } from '#contracts';
import { QUEUED_JOB, reportJob } from '#domain';
import { redactReport } from '#ingest/redact/redact-urls';
import { type JobsRow, jobsTable } from '#read-model';

import { defineProjection, type ProjectedEvent } from '../runner/projection.js';

/**
 * A job as its reader sees it. Logs of versions before may have secrets in the URLs of messages,
 * which nobody is shown.
 */
export const jobsProjection = defineProjection({
  name: 'jobs',
  version: 4,
  table: jobsTable,
  handles: JOB_EVENT_TYPES,
  keyOf: (event) => [event.tenant_id, event.data.job_id],
  evolve: (row, event) => {
    if (event.type === 'JobRequested') return row ?? requested(event);
    return row && redactReport(reportJob(row, event));
  },
});

function requested({
  tenant_id,
  position,
  data,
  occurred_at,
}: ProjectedEvent<'JobRequested'>): JobsRow {
  const { job_id, source_id, audience = TENANT_AUDIENCE } = data;
  return {
    tenant_id,
    job_id,
    position,
    source_id,
    audience,
    created_at: occurred_at,
    ...QUEUED_JOB,
  };
}
