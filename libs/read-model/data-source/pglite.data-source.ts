import type { DataSource } from 'typeorm';

import { endsProcess } from '#platform/process/ends-process';

import { dropFolder, exists, PREPARED_IMAGE, prepareFolder } from '../pglite/pglite-folder.js';
import { PgliteSession } from '../pglite/pglite-session.js';
import type { PgliteReadModel } from './read-model-options.js';

/**
 * Opens the embedded read models. A folder that does not open, or does not answer the migrations,
 * is dropped and created again; the projector then fills it from the log.
 */
export async function openPgliteDataSource(options: PgliteReadModel): Promise<DataSource> {
  const { directory, logger, image = PREPARED_IMAGE } = options;
  const existed = await exists(directory);
  await prepareFolder(directory, image);
  try {
    return await open(options);
  } catch (error) {
    const message = existed
      ? 'read models: the folder cannot be opened; rebuilding from the log'
      : 'read models: the prepared image cannot be opened; continuing without it';
    logger.warn({ error: String(error), directory }, message);
  }
  await dropFolder(directory);
  if (existed) await prepareFolder(directory, image);
  return open(options);
}

async function open({
  directory,
  logger,
  waitTimeoutMs,
  vacuum,
  onFatal,
}: PgliteReadModel): Promise<DataSource> {
  // The thread opens the folder while this one loads TypeORM.
  const [session, { dataSourceOver }] = await Promise.all([
    PgliteSession.open({ directory }),
    import('./over-pglite.js'),
  ]);
  try {
    const dataSource = await dataSourceOver(session, { logger, waitTimeoutMs, vacuum });
    // Only from here on: a folder that makes PGlite's thread die during the open is created again.
    void session.died.then(
      onFatal ?? endsProcess(logger, 'read models: the database thread died; the process ends'),
    );
    return dataSource;
  } catch (error) {
    await session.close();
    throw error;
  }
}
