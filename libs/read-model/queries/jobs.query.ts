import type { EntityManager } from 'typeorm';

import type { JobStatus } from '#contracts';
import type { JobView } from '#contracts/http/index';

import { type JobsRow, jobsTable } from '../tables/jobs.table.js';
import { FOUND_BY_TENANT } from './found-by-tenant.js';
import type { Page } from './page.js';

export interface ListJobs extends Page {
  readonly source_id?: string;
  readonly status?: JobStatus;
}

/** Returns jobs of sources that the whole tenant may find, newest first. */
export async function listJobs(
  manager: EntityManager,
  tenantId: string,
  { skip, limit, source_id, status }: ListJobs,
): Promise<{ jobs: JobView[]; total: number }> {
  const shown = { tenant_id: tenantId, audience: FOUND_BY_TENANT };
  const [rows, total] = await manager.findAndCount(jobsTable.entity, {
    where: { ...shown, ...(source_id ? { source_id } : {}), ...(status ? { status } : {}) },
    order: { position: 'DESC' },
    skip,
    take: limit,
  });
  return { jobs: rows.map(jobView), total };
}

export async function getJob(
  manager: EntityManager,
  tenantId: string,
  jobId: string,
): Promise<JobView | null> {
  const wanted = { tenant_id: tenantId, job_id: jobId, audience: FOUND_BY_TENANT };
  const row = await manager.findOneBy(jobsTable.entity, wanted);
  return row ? jobView(row) : null;
}

/**
 * Returns a job of a package's source with the package's id, for any tenant that links the package.
 */
export async function getPackageJob(
  manager: EntityManager,
  tenantId: string,
  jobId: string,
): Promise<{ readonly job: JobView; readonly packageId: string } | null> {
  const row = await manager.findOneBy(jobsTable.entity, { tenant_id: tenantId, job_id: jobId });
  if (row?.audience.kind !== 'linked' || row.audience.package_id === undefined) return null;
  return { job: jobView(row), packageId: row.audience.package_id };
}

function jobView(row: JobsRow): JobView {
  return {
    id: row.job_id,
    source_id: row.source_id,
    status: row.status,
    stage: row.stage,
    progress_percent: row.progress_percent,
    progress_message: row.progress_message,
    stage_details: row.stage_details,
    files_processed: row.files_processed,
    chunks_created: row.chunks_created,
    chunks_updated: row.chunks_updated,
    chunks_deleted: row.chunks_deleted,
    error_message: row.error_message,
    error_details: row.error_details,
    retry_count: row.retry_count,
    created_at: row.created_at,
    started_at: row.started_at,
    completed_at: row.completed_at,
    timeline: [...row.timeline],
  };
}
