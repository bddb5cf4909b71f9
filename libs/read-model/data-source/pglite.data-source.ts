import { DataSource } from 'typeorm';

import type { Logger } from '#platform';

import { ExclusivePool } from '../pglite/exclusive-pool.js';
import { PREPARED_IMAGE, dropFolder, exists, prepareFolder } from '../pglite/pglite-folder.js';
import { PgliteSession } from '../pglite/pglite-session.js';
import { migrate } from './migrate.js';
import type { PgliteReadModel } from './read-model-options.js';
import { typeOrmOptions } from './type-orm-options.js';

/**
 * Opens the embedded read models. A folder that does not open, or does not answer the migrations, is dropped and made anew:
 * the projector then fills it from the log.
 */
export async function openPgliteDataSource(options: PgliteReadModel): Promise<DataSource> {
  const { directory, logger, image = PREPARED_IMAGE } = options;
  const existed = await exists(directory);
  await prepareFolder(directory, image);
  try {
    return await open(options);
  } catch (error) {
    const message = existed
      ? 'the read models cannot be opened; they are dropped and will be rebuilt from the log'
      : 'the prepared image cannot be opened; the read models are made without it';
    logger.warn({ error: String(error), directory }, message);
  }
  await dropFolder(directory);
  if (existed) await prepareFolder(directory, image);
  return open(options);
}

async function open({ directory, logger, waitTimeoutMs }: PgliteReadModel): Promise<DataSource> {
  const session = await PgliteSession.open({ directory });
  const dataSource = overSession(session, logger, waitTimeoutMs);
  try {
    await dataSource.initialize();
    await migrate(dataSource, { lock: false });
    return dataSource;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** TypeORM's Postgres driver asks its `driver` option for a Pool; it gets the one that knows there is one session. */
function overSession(session: PgliteSession, logger: Logger, waitTimeoutMs: number | undefined): DataSource {
  class Pool extends ExclusivePool {
    constructor() {
      super(session, waitTimeoutMs === undefined ? {} : { waitTimeoutMs });
    }
  }
  return new DataSource({ ...typeOrmOptions(logger), driver: { Pool } });
}
