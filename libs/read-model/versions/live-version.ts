import type { EntityManager } from 'typeorm';

import type { Position } from '#contracts';

import { SCHEMA } from '../schema.js';
import type { ProjectionName } from '../tables/tables.js';

export interface LiveVersion {
  readonly version: number;
  /** The definition according to the code that created it. */
  readonly definition: string;
  /** Position up to which its rows are complete; null before the first batch. */
  readonly position: Position | null;
}

/** Returns the version of a read model that queries read, or undefined before the first one. */
export async function liveVersion(
  manager: EntityManager,
  name: ProjectionName,
): Promise<LiveVersion | undefined> {
  const [row] = await manager.query<
    { live_version: number; definition: string; position: Position | null }[]
  >(
    `select v.live_version, v.definition, c.position
       from ${SCHEMA}.projection_versions v
       left join ${SCHEMA}.checkpoints c on c.projection = v.name and c.version = v.live_version
      where v.name = $1`,
    [name],
  );
  return row && { version: row.live_version, definition: row.definition, position: row.position };
}
