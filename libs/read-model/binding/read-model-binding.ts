import type { DataSource } from 'typeorm';

import { type LogBinding, parseLogId } from '#platform';

import { onEngine } from '../data-source/engine-errors.js';
import { SCHEMA } from '../schema.js';
import { acrossTenants, asProjector } from '../transactions/transactions.js';

/**
 * Binding of the read models to their log. They are empty while no version of any has applied an
 * event.
 */
export function readModelBinding(dataSource: DataSource): LogBinding {
  return {
    boundTo: () =>
      onEngine(() =>
        acrossTenants(dataSource, async (manager) => {
          const [row] = await manager.query<{ log_id: string }[]>(
            `select log_id from ${SCHEMA}.log_binding`,
          );
          return row ? parseLogId(row.log_id, 'The database of the read models') : null;
        }),
      ),
    bind: (log) =>
      onEngine(() =>
        asProjector(dataSource, async (manager) => {
          await manager.query(
            `insert into ${SCHEMA}.log_binding (log_id) values ($1)
             on conflict (only_one) do update set log_id = excluded.log_id`,
            [log],
          );
        }),
      ),
    isEmpty: () =>
      onEngine(() =>
        acrossTenants(dataSource, async (manager) => {
          const rows = await manager.query<unknown[]>(
            `select from ${SCHEMA}.checkpoints where position is not null limit 1`,
          );
          return rows.length === 0;
        }),
      ),
  };
}
