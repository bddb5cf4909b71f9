import type { DataSource } from 'typeorm';

import { ExclusivePool } from '../pglite/exclusive-pool.js';
import { SCHEMA } from '../schema.js';
import { tableNames } from './table-sizes.js';

/** Whether the read models are embedded; a server vacuums by itself. */
export function isEmbedded(dataSource: DataSource): boolean {
  return (dataSource.driver as { readonly master?: unknown }).master instanceof ExclusivePool;
}

/**
 * Rewrites every table without its dead rows and removes the write-ahead log of before, so that no
 * file holds what was deleted or replaced. Queries wait while one table is rewritten and get their
 * turn between two of them.
 */
export async function rewriteTables(dataSource: DataSource): Promise<void> {
  for (const table of await tableNames(dataSource)) {
    // A table may be dropped meanwhile, when a rebuild switches versions.
    const [found] = await dataSource.query<{ there: boolean }[]>(
      `select to_regclass($1) is not null as there`,
      [`${SCHEMA}.${table}`],
    );
    if (found?.there) await dataSource.query(`vacuum (full) ${SCHEMA}."${table}"`);
  }
  await dataSource.query('select pg_switch_wal()');
  // Removes replaced files and, since none is recycled, the log of before.
  await dataSource.query('checkpoint');
}
