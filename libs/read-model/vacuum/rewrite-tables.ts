import type { DataSource } from 'typeorm';

import { ExclusivePool } from '../pglite/exclusive-pool.js';
import { SCHEMA } from '../schema.js';
import { tableNames } from './table-sizes.js';

/** Reports whether the read models are embedded; a server vacuums by itself. */
export function isEmbedded(dataSource: DataSource): boolean {
  return (dataSource.driver as { readonly master?: unknown }).master instanceof ExclusivePool;
}

/**
 * Rewrites every table without its dead rows and removes the old write-ahead log, so that no file
 * contains deleted or replaced data. Queries wait while one table is rewritten and run between two
 * of them.
 */
export async function rewriteTables(dataSource: DataSource): Promise<void> {
  for (const table of await tableNames(dataSource)) {
    // A rebuild that switches versions may drop a table at the same time.
    const [found] = await dataSource.query<{ there: boolean }[]>(
      `select to_regclass($1) is not null as there`,
      [`${SCHEMA}.${table}`],
    );
    if (found?.there) await dataSource.query(`vacuum (full) ${SCHEMA}."${table}"`);
  }
  await dataSource.query('select pg_switch_wal()');
  // Removes replaced files and, since none is recycled, the old write-ahead log.
  await dataSource.query('checkpoint');
}
