import { type EntityManager, IsNull, Not } from 'typeorm';

import type { Audience, DefinedType, DocsFormat } from '#contracts';

import { sourcesTable } from '../tables/sources.table.js';

/** A source that searches of its audience see. */
export interface LiveSourceRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly name: string;
  readonly audience: Audience;
  readonly source_type: DefinedType;
  readonly docs_format?: DocsFormat;
  readonly generation: number;
  readonly version_ref: string;
  /** URL from which the generation was read; null if it was not recorded. */
  readonly url: string | null;
  /** Blob hash of the generation's manifest. */
  readonly manifest: string;
  /** End of the last successful sync. */
  readonly synced_at: string;
}

const LIVE_COLUMNS = {
  tenant_id: true,
  source_id: true,
  name: true,
  audience: true,
  definition: true,
  live_generation: true,
  live_manifest: true,
  version_ref: true,
  live_url: true,
  last_sync_completed: true,
} as const;

/** Every source of every tenant with a live generation, for whatever audience. */
export async function listLiveSources(manager: EntityManager): Promise<LiveSourceRow[]> {
  const rows = await manager.find(sourcesTable.entity, {
    select: LIVE_COLUMNS,
    where: { live_generation: Not(IsNull()) },
    order: { position: 'ASC' },
  });
  return rows.flatMap(({ tenant_id, source_id, name, audience, definition, ...row }) => {
    const {
      live_generation: generation,
      live_manifest: manifest,
      version_ref,
      live_url: url,
    } = row;
    const { last_sync_completed: synced_at } = row;
    if (generation === null || manifest === null || version_ref === null || synced_at === null)
      return [];
    const { source_type, docs_format } = definition;
    const kind = { source_type, ...(docs_format ? { docs_format } : {}) };
    return [
      {
        tenant_id,
        source_id,
        name,
        audience,
        ...kind,
        generation,
        version_ref,
        url,
        manifest,
        synced_at,
      },
    ];
  });
}
