import type { EntityManager } from 'typeorm';

import { roverJobsTable } from '../tables/rover-jobs.table.js';
import type { Page } from './page.js';

/** Returns the ids of a tenant's rover jobs, newest first, with the number of all of them. */
export async function listRoverJobs(
  manager: EntityManager,
  tenantId: string,
  { skip, limit }: Page,
): Promise<{ ids: string[]; total: number }> {
  const [rows, total] = await manager.findAndCount(roverJobsTable.entity, {
    where: { tenant_id: tenantId },
    order: { position: 'DESC' },
    skip,
    take: limit,
  });
  return { ids: rows.map(({ rover_job_id }) => rover_job_id), total };
}

/** Returns the number of a tenant's rover jobs that have not ended. */
export function countOpenRoverJobs(manager: EntityManager, tenantId: string): Promise<number> {
  return manager.countBy(roverJobsTable.entity, { tenant_id: tenantId, open: true });
}
