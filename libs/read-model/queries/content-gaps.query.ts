import { type EntityManager, IsNull, Not } from 'typeorm';

import { generationsTable } from '../tables/generations.table.js';

/** A generation with missing content, or one that the index could not load for another reason. */
export interface ContentGapView {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly generation: number;
  /** True if the index contains all of it nevertheless. */
  readonly searchable: boolean;
  /** The missing content, and how to repair it. */
  readonly message: string;
}

/** Those of one tenant, or of all. */
export async function listContentGaps(
  manager: EntityManager,
  tenantId?: string,
): Promise<ContentGapView[]> {
  const tenant = tenantId === undefined ? {} : { tenant_id: tenantId };
  const rows = await manager.find(generationsTable.entity, {
    where: [
      { ...tenant, state: 'failed' as const },
      { ...tenant, state: 'ready' as const, message: Not(IsNull()) },
    ],
  });
  return rows.map(({ tenant_id, source_id, generation, state, message }) => ({
    tenant_id,
    source_id,
    generation,
    searchable: state === 'ready',
    message: message ?? '',
  }));
}
