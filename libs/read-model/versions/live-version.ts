import type { EntityManager } from 'typeorm';

import type { Position } from '#contracts';

import { SCHEMA } from '../schema.js';
import type { ProjectionName } from '../tables/tables.js';

export interface LiveVersion {
  readonly version: number;
  /** What the code that made it understood by it. */
  readonly definition: string;
  /** Everything up to here is in its rows; null before the first batch. */
  readonly position: Position | null;
}

/** The version of a read model that queries read, or undefined before it was first made. */
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
