import type { EntityManager } from 'typeorm';

import type { Audience, ScipUpload } from '#contracts';

import { sourcesTable } from '../tables/sources.table.js';

/** A source with its content sizes, as totals count it. */
export interface RegisteredSourceRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly audience: Audience;
  /** Chunks of the live generation; 0 before the first. */
  readonly chunk_count: number;
  /** Bytes of the uploaded file, the live generation and the SCIP indexes. */
  readonly stored_bytes: number;
  /** Bytes of the uploaded file alone. */
  readonly upload_bytes: number;
  /** Kept uploads of SCIP indexes; null for none. */
  readonly scip: readonly ScipUpload[] | null;
}

/** Every source of every tenant that is not removed, for whatever audience. */
export async function listRegisteredSources(
  manager: EntityManager,
): Promise<RegisteredSourceRow[]> {
  const rows = await manager.find(sourcesTable.entity, {
    select: {
      tenant_id: true,
      source_id: true,
      audience: true,
      chunk_count: true,
      stored_bytes: true,
      upload_bytes: true,
      scip: true,
    },
  });
  return rows.map(
    ({ tenant_id, source_id, audience, chunk_count, stored_bytes, upload_bytes, scip }) => ({
      tenant_id,
      source_id,
      audience,
      chunk_count,
      stored_bytes,
      upload_bytes,
      scip,
    }),
  );
}
