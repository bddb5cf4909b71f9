import { type EntityManager, IsNull, Not } from 'typeorm';

import type { ScipUpload } from '#contracts';

import { sourcesTable } from '../tables/sources.table.js';

/** A source with its kept uploads of SCIP indexes, the newest first. */
export interface ScipUploadsRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly scip: readonly ScipUpload[];
}

/** Returns the uploads of all tenants' sources; sources without one are left out. */
export async function listScipUploads(manager: EntityManager): Promise<ScipUploadsRow[]> {
  const rows = await manager.find(sourcesTable.entity, {
    select: { tenant_id: true, source_id: true, scip: true },
    where: { scip: Not(IsNull()) },
  });
  return rows.flatMap(({ tenant_id, source_id, scip }) =>
    scip === null ? [] : [{ tenant_id, source_id, scip }],
  );
}
