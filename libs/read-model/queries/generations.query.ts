import { type EntityManager, Like, Not } from 'typeorm';

import { SCHEMA } from '../schema.js';
import { type GenerationsRow, generationsTable } from '../tables/generations.table.js';

/** State of a generation in the search index. */
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

/** Returns the newest generation of a version, those that are kept first; null without any. */
export async function getGenerationOfVersion(
  manager: EntityManager,
  tenantId: string,
  sourceId: string,
  versionRef: string,
): Promise<GenerationView | null> {
  const of = { tenant_id: tenantId, source_id: sourceId, version_ref: versionRef };
  const order = { generation: 'DESC' } as const;
  const kept = { where: { ...of, state: Not('dropped' as const) }, order };
  return (
    (await manager.findOne(generationsTable.entity, kept)) ??
    manager.findOne(generationsTable.entity, { where: of, order })
  );
}

/** Returns two versions of a source that begin with these hexadecimal digits, or all there are. */
export async function versionsBeginningWith(
  manager: EntityManager,
  tenantId: string,
  sourceId: string,
  digits: string,
): Promise<readonly string[]> {
  const rows = await manager
    .createQueryBuilder(generationsTable.entity, 'generation')
    .select('DISTINCT generation.version_ref', 'version_ref')
    .where({ tenant_id: tenantId, source_id: sourceId, version_ref: Like(`${digits}%`) })
    .orderBy('version_ref')
    .limit(2)
    .getRawMany<{ version_ref: string }>();
  return rows.map(({ version_ref }) => version_ref);
}

/** Returns the number of the tenant's generations that have not left the index. */
export async function countKeptGenerations(
  manager: EntityManager,
  tenantId: string,
): Promise<number> {
  return manager.countBy(generationsTable.entity, {
    tenant_id: tenantId,
    state: Not('dropped' as const),
  });
}

/** Source and number of a generation. */
export interface GenerationKey {
  readonly source_id: string;
  readonly generation: number;
}

export type GenerationState = GenerationKey &
  Pick<GenerationsRow, 'state' | 'loaded_chunk_count' | 'message'>;

/** Returns the states of several generations, unordered; those without a row are omitted. */
export async function generationStates(
  manager: EntityManager,
  tenantId: string,
  keys: readonly GenerationKey[],
): Promise<GenerationState[]> {
  return manager.query<GenerationState[]>(
    `select source_id, generation, g.state, g.loaded_chunk_count, g.message from ${SCHEMA}.generations g
       join jsonb_to_recordset($2::text::jsonb) as asked (source_id text, generation integer) using (source_id, generation)
      where g.tenant_id = $1`,
    [tenantId, JSON.stringify(keys)],
  );
}
