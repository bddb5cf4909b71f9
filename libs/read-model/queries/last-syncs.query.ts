import type { EntityManager } from 'typeorm';

import { SCHEMA } from '../schema.js';

/** A source at a position in the log. */
export interface SourceThen {
  readonly source: string;
  readonly position: string;
}

/**
 * Returns for each entry when the last successful sync of the source ended before that position.
 * The time is null for a source that was never synced, or of another tenant.
 */
export async function lastSyncs(
  manager: EntityManager,
  tenantId: string,
  sources: readonly SourceThen[],
): Promise<(string | null)[]> {
  if (sources.length === 0) return [];
  const rows = await manager.query<{ happened_at: Date | null }[]>(
    `select h.happened_at
       from unnest($2::text[], $3::text[]) with ordinality as s(source_id, position, place)
       left join lateral (select happened_at from ${SCHEMA}.source_history
                           where tenant_id = $1 and fact = 'published' and source_id = s.source_id
                             and position <= s.position
                           order by position desc limit 1) h on true
      order by s.place`,
    [tenantId, sources.map(({ source }) => source), sources.map(({ position }) => position)],
  );
  return rows.map(({ happened_at: at }) => (at === null ? null : new Date(at).toISOString()));
}
