import { Not, type EntityManager } from 'typeorm';

import { generationsTable, type GenerationsRow } from '../tables/generations.table.js';

/** How a generation stands with the search index. */
export type GenerationView = GenerationsRow;

export async function getGeneration(
  manager: EntityManager,
  tenantId: string,
  sourceId: string,
  generation: number,
): Promise<GenerationView | null> {
  const key = { tenant_id: tenantId, source_id: sourceId, generation };
  return manager.findOneBy(generationsTable.entity, key);
}

/** How many generations of the tenant have not left the index. */
export async function countKeptGenerations(manager: EntityManager, tenantId: string): Promise<number> {
  return manager.countBy(generationsTable.entity, { tenant_id: tenantId, state: Not('dropped' as const) });
}
