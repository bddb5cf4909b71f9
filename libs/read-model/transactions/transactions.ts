import type { DataSource, EntityManager } from 'typeorm';

import { APP_ROLE, PROJECTOR_ROLE, TENANT_SETTING } from '../schema.js';

/**
 * Runs `work` in a read-only transaction that sees one state of the read models and, by row-level security, the rows of
 * this tenant alone, whatever its statements say. Inside, use nothing but the manager it is given.
 */
export function withTenant<T>(
  dataSource: DataSource,
  tenantId: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    await manager.query(`select set_config('role', $1, true), set_config($2, $3, true)`, [
      APP_ROLE,
      TENANT_SETTING,
      tenantId,
    ]);
    return work(manager);
  });
}

/** Runs `work` in a transaction that sees one state of all tenants' rows: for the followers that every process keeps. */
export function acrossTenants<T>(dataSource: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    await manager.query(`select set_config('role', $1, true), set_config('transaction_read_only', 'on', true)`, [
      PROJECTOR_ROLE,
    ]);
    return work(manager);
  });
}

/** Runs `work` in a transaction that may write the rows of every tenant: the projector's. */
export function asProjector<T>(dataSource: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return dataSource.transaction('READ COMMITTED', async (manager) => {
    await manager.query(`select set_config('role', $1, true)`, [PROJECTOR_ROLE]);
    return work(manager);
  });
}
