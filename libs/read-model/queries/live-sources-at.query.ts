import type { EntityManager } from 'typeorm';

import type { Audience, Position, PriorityKind } from '#contracts';

import { SCHEMA } from '../schema.js';
import type { SourceHistoryRow } from '../tables/source-history.table.js';

/** A source as searches of its audience saw it at a position in the log. */
export interface LiveSourceThen {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly audience: Audience;
  readonly name: string;
  readonly kind: PriorityKind;
  readonly generation: number;
  readonly version_ref: string;
  /** URL from which the generation was read; null if it was not recorded. */
  readonly url: string | null;
  /** End of the sync that published or confirmed the generation. */
  readonly synced_at: string;
  /** True if the generation has been dropped since. */
  readonly dropped: boolean;
}

type Row = Omit<SourceHistoryRow, 'happened_at'> & { readonly happened_at: Date };

/**
 * Returns all live sources of a tenant at a position in the log, for any audience, in order of
 * registration.
 */
export async function liveSourcesAt(
  manager: EntityManager,
  tenantId: string,
  position: Position,
): Promise<LiveSourceThen[]> {
  const published = await manager.query<Row[]>(
    `select distinct on (source_id) * from ${SCHEMA}.source_history
      where tenant_id = $1 and fact = 'published' and position <= $2
      order by source_id, position desc`,
    [tenantId, position],
  );
  const others = await manager.query<Row[]>(
    `select * from ${SCHEMA}.source_history
      where tenant_id = $1 and fact in ('registered', 'updated', 'removed', 'dropped')
      order by position`,
    [tenantId],
  );
  const gone = new Set(
    others.flatMap(({ fact, source_id, generation }) =>
      fact === 'dropped' ? `${source_id}/${generation}` : [],
    ),
  );
  const removed = new Set(
    others.flatMap(({ fact, source_id }) => (fact === 'removed' ? source_id : [])),
  );
  const live = new Map(published.map((row) => [row.source_id, row]));
  return [...describedAt(others, position)].flatMap(([source_id, described]) => {
    const row = live.get(source_id);
    if (!row || row.generation === null || row.version_ref === null) return [];
    const { generation, version_ref, url } = row;
    const dropped = removed.has(source_id) || gone.has(`${source_id}/${generation}`);
    const synced_at = new Date(row.happened_at).toISOString();
    return [
      {
        tenant_id: tenantId,
        source_id,
        ...described,
        generation,
        version_ref,
        url,
        synced_at,
        dropped,
      },
    ];
  });
}

/** Returns whether a generation was dropped; the index may still have it. */
export async function isGenerationDropped(
  manager: EntityManager,
  tenantId: string,
  sourceId: string,
  generation: number,
): Promise<boolean> {
  const rows = await manager.query<unknown[]>(
    `select 1 from ${SCHEMA}.source_history
      where tenant_id = $1 and source_id = $2 and fact = 'dropped' and generation = $3 limit 1`,
    [tenantId, sourceId, generation],
  );
  return rows.length > 0;
}

type Described = Pick<LiveSourceThen, 'name' | 'kind' | 'audience'>;

/** Returns name, kind and audience of the sources that were registered and not yet removed. */
function describedAt(rows: readonly Row[], position: string): Map<string, Described> {
  const described = new Map<string, Described>();
  for (const { source_id, fact, name, kind, audience } of rows.filter(
    (row) => row.position <= position,
  )) {
    const known = described.get(source_id);
    if (fact === 'removed') described.delete(source_id);
    else if (fact === 'registered' && name !== null && kind !== null && audience !== null) {
      described.set(source_id, { name, kind, audience });
    } else if (fact === 'updated' && known) {
      described.set(source_id, { ...known, name: name ?? known.name, kind: kind ?? known.kind });
    }
  }
  return described;
}
