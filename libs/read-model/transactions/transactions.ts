import type { DataSource, EntityManager } from 'typeorm';

import { APP_ROLE, PROJECTOR_ROLE, TENANT_SETTING } from '../schema.js';

const AS_TENANT = `start transaction isolation level repeatable read; set local role ${APP_ROLE}`;
const ACROSS_TENANTS = `start transaction isolation level repeatable read, read only; set local role ${PROJECTOR_ROLE}`;
const AS_PROJECTOR = `start transaction isolation level read committed; set local role ${PROJECTOR_ROLE}`;

/**
 * Runs `work` in a read-only transaction. It sees one state of the read models and, by row-level
 * security, only the rows of this tenant, whatever its statements say. Inside, use only the given
 * manager.
 */
export function withTenant<T>(
  dataSource: DataSource,
  tenantId: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return transaction(dataSource, AS_TENANT, async (manager) => {
    await manager.query(`select set_config($1, $2, true)`, [TENANT_SETTING, tenantId]);
    return work(manager);
  });
}

/**
 * Runs `work` in a transaction that sees one state of all tenants' rows, for in-memory projections.
 */
export function acrossTenants<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return transaction(dataSource, ACROSS_TENANTS, work);
}

/** Runs `work` in a transaction that may write the rows of every tenant, for the projector. */
export function asProjector<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return transaction(dataSource, AS_PROJECTOR, work);
}

/**
 * @param begin all statements before the work, as one message, because each costs a round trip to a
 * server.
 */
async function transaction<T>(
  dataSource: DataSource,
  begin: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    try {
      await runner.query(begin);
      const result = await work(runner.manager);
      await runner.query('commit');
      return result;
    } catch (error) {
      await runner.query('rollback').catch(() => undefined);
      throw error;
    }
  } finally {
    await runner.release();
  }
}
