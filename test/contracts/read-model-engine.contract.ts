import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';

import {
  acrossTenants,
  asProjector,
  SCHEMA,
  tenantsTable,
  upsertRows,
  withTenant,
} from '#read-model';

import { TENANT_A, TENANT_B } from '../support/sample-events.js';

const CREATED = '2026-01-02T03:04:05.678Z';

/**
 * The contract of every engine of the read models: transactions never mix, and tenants are
 * isolated.
 */
export function readModelEngineContract(
  name: string,
  open: () => Promise<{ readonly dataSource: DataSource; readonly close: () => Promise<void> }>,
): void {
  describe(`read-model engine: ${name}`, () => {
    let dataSource: DataSource;
    let close: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      ({ dataSource, close } = await open());
      await asProjector(dataSource, (manager) =>
        upsertRows(manager, tenantsTable, 1, [row(TENANT_A, 'A'), row(TENANT_B, 'B')]),
      );
    });
    afterAll(() => close?.());

    it('shows a tenant its own rows even where the filter is forgotten', async () => {
      for (const tenant of [TENANT_A, TENANT_B]) {
        const seen = await withTenant(dataSource, tenant, (manager) =>
          manager.query<{ tenant_id: string }[]>(`select tenant_id from ${SCHEMA}.tenants`),
        );
        expect(seen).toEqual([{ tenant_id: tenant }]);
      }
      const behindTheView = await withTenant(dataSource, TENANT_A, (manager) =>
        manager.query<object[]>(`select * from ${SCHEMA}.tenants_v1 where tenant_id = $1`, [
          TENANT_B,
        ]),
      );
      expect(behindTheView).toEqual([]);
    });

    it('shows nothing to a tenant without a name, and lets no tenant write', async () => {
      const seen = await withTenant(dataSource, '', (manager) =>
        manager.query<object[]>(`select * from ${SCHEMA}.tenants`),
      );
      expect(seen).toEqual([]);
      const write = withTenant(dataSource, TENANT_A, (manager) =>
        manager.query(`update ${SCHEMA}.tenants_v1 set name = 'mine'`),
      );
      await expect(write).rejects.toThrow(/permission denied/);
      const followerWrite = acrossTenants(dataSource, (manager) =>
        manager.query(`update ${SCHEMA}.tenants_v1 set name = 'mine'`),
      );
      await expect(followerWrite).rejects.toThrow(/read-only/);
    });

    it('keeps interleaved transactions of two tenants apart when one rolls back', async () => {
      const inside = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const failing = asProjector(dataSource, async (manager) => {
        await upsertRows(manager, tenantsTable, 1, [row(TENANT_A, 'uncommitted')]);
        inside.resolve();
        await goOn.promise;
        throw new Error('roll back');
      });
      await inside.promise;
      const other = withTenant(dataSource, TENANT_B, async (manager) => {
        const [first] = await manager.query<{ tenant: string }[]>(
          `select current_setting('app.tenant', true) as tenant`,
        );
        const rows = await manager.query<{ name: string }[]>(`select name from ${SCHEMA}.tenants`);
        return [first?.tenant, rows[0]?.name];
      });
      const everybody = acrossTenants(dataSource, (manager) =>
        manager.query<{ name: string }[]>(`select name from ${SCHEMA}.tenants order by tenant_id`),
      );
      goOn.resolve();
      await expect(failing).rejects.toThrow('roll back');
      expect(await other).toEqual([TENANT_B, 'B']);
      expect(await everybody).toEqual([{ name: 'A' }, { name: 'B' }]);
    });

    it('leaves neither role nor tenant behind on the session', async () => {
      await withTenant(dataSource, TENANT_A, () => Promise.resolve());
      const [session] = await dataSource.query<{ tenant: string | null; role: string }[]>(
        `select nullif(current_setting('app.tenant', true), '') as tenant, current_setting('role') as role`,
      );
      expect(session).toEqual({ tenant: null, role: 'none' });
    });

    it('stores what JSON can say and Postgres cannot without stopping', async () => {
      await asProjector(dataSource, (manager) =>
        upsertRows(manager, tenantsTable, 1, [row(TENANT_A, 'a\0b\ud800')]),
      );
      const [stored] = await withTenant(dataSource, TENANT_A, (manager) =>
        manager.query<{ name: string }[]>(`select name from ${SCHEMA}.tenants`),
      );
      expect(stored?.name).toBe('a\ufffdb\ufffd');
    });
  });
}

function row(tenant_id: string, name: string) {
  return {
    tenant_id,
    name,
    plan: null,
    created_at: CREATED,
    erasure_requested_at: null,
    erased_at: null,
  };
}
