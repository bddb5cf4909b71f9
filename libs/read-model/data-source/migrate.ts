import type { DataSource } from 'typeorm';

import { SCHEMA } from '../schema.js';
import type { ProjectionName } from '../tables/tables.js';
import { ALL_TABLES } from '../tables/tables.js';
import { asProjector } from '../transactions/transactions.js';
import { liveVersion } from '../versions/live-version.js';
import { createVersionTable, showVersion } from '../versions/projection-tables.js';

/** Any number that nobody else uses. */
const MIGRATION_LOCK = 7_305_531_864;

/**
 * Migrates the database: schema, migrations, and a first version of every read model without one.
 * Safe to call from several processes at once. PGlite has one session for all, so it needs no lock.
 */
export async function migrate(
  dataSource: DataSource,
  options: { readonly lock: boolean },
): Promise<void> {
  if (!options.lock) return bringUp(dataSource);
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await bringUp(dataSource);
  } finally {
    await holder.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await holder.release();
  }
}

async function bringUp(dataSource: DataSource): Promise<void> {
  await dataSource.query(`create schema if not exists ${SCHEMA}`);
  await dataSource.runMigrations({ transaction: 'each' });
  await asProjector(dataSource, async (manager) => {
    for (const table of ALL_TABLES) {
      if (await liveVersion(manager, table.name as ProjectionName)) continue;
      await createVersionTable(manager, table, 1);
      await showVersion(manager, table, 1, '');
    }
  });
}
