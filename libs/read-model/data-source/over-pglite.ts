import { DataSource } from 'typeorm';

import type { Logger } from '#platform';

import { ExclusivePool } from '../pglite/exclusive-pool.js';
import type { PgliteSession } from '../pglite/pglite-session.js';
import { IdleVacuum, type IdleVacuumPauses } from '../vacuum/idle-vacuum.js';
import { migrate } from './migrate.js';
import { typeOrmOptions } from './type-orm-options.js';

export interface OverPgliteOptions {
  readonly logger: Logger;
  /** Milliseconds that a checkout may wait for its turn; the pool's default if undefined. */
  readonly waitTimeoutMs: number | undefined;
  readonly vacuum: IdleVacuumPauses | undefined;
}

/**
 * Creates the data source over an open session, migrated; closing it closes the session. On an
 * error the session stays open.
 *
 * TypeORM's Postgres driver asks its `driver` option for a Pool; it gets the one that has a single
 * session.
 */
export async function dataSourceOver(
  session: PgliteSession,
  options: OverPgliteOptions,
): Promise<DataSource> {
  const { logger, waitTimeoutMs, vacuum } = options;
  class Pool extends ExclusivePool {
    private readonly vacuum: IdleVacuum;

    constructor() {
      super(session, waitTimeoutMs === undefined ? {} : { waitTimeoutMs });
      this.vacuum = new IdleVacuum(this, { ...vacuum, logger });
    }

    override end(done: (error?: Error) => void): void {
      this.vacuum.stop();
      super.end(done);
    }
  }
  const dataSource = new DataSource({ ...typeOrmOptions(logger), driver: { Pool } });
  await dataSource.initialize();
  await migrate(dataSource, { lock: false });
  return dataSource;
}
