import { chmodSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';

import { silentLogger, sleep } from '#platform';
import {
  asProjector,
  getTenant,
  listTenants,
  openReadModelDataSource,
  type PostgresReadModel,
  ReadModel,
  SCHEMA,
  tenantsTable,
  upsertRows,
  withTenant,
} from '#read-model';

import { describeWhen } from '../support/describe-when.js';
import { EngineInstance } from '../support/engine-script.js';
import { TENANT_A, TENANT_B } from '../support/sample-events.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { tempDir } from '../support/temp-dir.js';

describeWhen('DATABASE_URL', 'PostgreSQL', postgresFaults);

const AWAY = { code: 'engine_unavailable', status: 503, retryAfter: 1 };
const TABLE = `${SCHEMA}.tenants_v1`;

/** On a server of its own (test/engines/postgres.sh), which it kills. */
function postgresFaults(): void {
  describe('read models on a failing PostgreSQL', () => {
    const folder = tempDir('footnote-postgres-');
    let server: EngineInstance;
    let url: string;
    let adminUrl: string;
    let opened: DataSource[] = [];

    const open = async (options: Partial<PostgresReadModel> = {}) => {
      const dataSource = await openReadModelDataSource({
        kind: 'postgres',
        url,
        adminUrl,
        logger: silentLogger,
        ...options,
      });
      opened.push(dataSource);
      return dataSource;
    };
    const admin = async (statement: string) => {
      const client = new Client({ connectionString: adminUrl });
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(statement);
      await client.end();
      return rows;
    };
    /** Until it is released, every query of the tenants waits. */
    const blockTenants = async () => {
      const client = new Client({ connectionString: adminUrl });
      client.on('error', () => undefined);
      await client.connect();
      await client.query(
        `begin; set local role footnote_projector; lock table ${TABLE} in access exclusive mode`,
      );
      return { release: () => client.end().catch(() => undefined) };
    };
    const waitingForLock = async (count: number) => {
      for (const end = performance.now() + 5_000; performance.now() < end;) {
        const rows = await admin(
          `select from pg_locks where not granted and relation = '${TABLE}'::regclass`,
        );
        if (rows.length >= count) return;
        await sleep(50);
      }
      throw new Error('The queries do not wait for the lock');
    };
    const recovered = async (readModel: ReadModel, what: string) => {
      const started = performance.now();
      for (;;) {
        const tenant = await readModel.ask(getTenant, TENANT_A).catch((error: unknown) => error);
        if (!(tenant instanceof Error)) break;
        expect(tenant).toMatchObject(AWAY);
        if (performance.now() - started > 20_000) throw tenant;
        await sleep(100);
      }
      process.stdout.write(
        `read models, ${what}: ${((performance.now() - started) / 1_000).toFixed(1)} s\n`,
      );
    };

    beforeAll(async () => {
      // The server's account has to reach its data.
      chmodSync(folder.path, 0o755);
      server = await EngineInstance.at('postgres', folder.path);
      ({ DATABASE_URL: url = '', DATABASE_ADMIN_URL: adminUrl = '' } = await server.start());
    }, 60_000);
    afterAll(async () => {
      for (const dataSource of opened) await dataSource.destroy().catch(() => undefined);
      await server.stop();
      folder.remove();
    }, 60_000);

    it('are made once when several processes open them at once', async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => open({ poolSize: 2 })));
      const migrations =
        await admin(`select count(*)::int as runs, count(distinct name)::int as names
        from ${SCHEMA}.migrations`);
      expect(migrations[0]?.['runs']).toBe(migrations[0]?.['names']);
      const [first, second] = all;
      if (!first || !second) throw new Error('They did not open');
      await asProjector(first, (manager) =>
        upsertRows(manager, tenantsTable, 1, [tenant(TENANT_A), tenant(TENANT_B)]),
      );
      expect(await new ReadModel(second).ask(getTenant, TENANT_B)).not.toBeNull();
      for (const dataSource of all) await dataSource.destroy();
      opened = [];
    }, 60_000);

    it('are used by a login that owns nothing and sees no row without a tenant', async () => {
      const dataSource = await open();
      const [role] = await dataSource.query<object[]>(
        `select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user`,
      );
      expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false });
      await expect(dataSource.query(`select * from ${TABLE}`)).rejects.toThrow('permission denied');
      await expect(dataSource.query(`drop table ${TABLE}`)).rejects.toThrow(
        /must be owner|permission denied/,
      );
      const rows = await withTenant(dataSource, TENANT_A, (manager) =>
        manager.query<object[]>(`select * from ${TABLE}`),
      );
      expect(rows).toHaveLength(1);
    });

    it('refuse a login that has the name of a role', async () => {
      await expect(open({ url: url.replace('footnote_service', 'footnote_app') })).rejects.toThrow(
        'must not sign in as footnote_app',
      );
    });

    it('answer engine_unavailable when all connections stay in use, and when a statement takes too long', async () => {
      const readModel = new ReadModel(await open({ poolSize: 2, statementTimeoutMs: 8_000 }));
      const block = await blockTenants();
      const slow = [readModel.ask(getTenant, TENANT_A), readModel.ask(getTenant, TENANT_B)].map(
        (query) => query.catch((error: unknown) => error),
      );
      await waitingForLock(2);
      const started = performance.now();
      await expect(readModel.ask(getTenant, TENANT_A)).rejects.toMatchObject(AWAY);
      expect(performance.now() - started).toBeLessThan(7_000);
      for (const error of await Promise.all(slow)) expect(error).toMatchObject(AWAY);
      await block.release();
      expect(await readModel.ask(getTenant, TENANT_A)).not.toBeNull();
    });

    it('answer engine_unavailable when the connection ends between two statements', async () => {
      const dataSource = await open({ poolSize: 1 });
      const breaking = Object.create(dataSource, {
        createQueryRunner: {
          value: () => {
            const runner = dataSource.createQueryRunner();
            const query = runner.query.bind(runner);
            let statements = 0;
            runner.query = async (statement: string, values?: unknown[]): Promise<never> => {
              if ((statements += 1) === 2) {
                const [session] = (await query('select pg_backend_pid() as pid')) as {
                  pid: number;
                }[];
                await endSession(url, session?.pid ?? 0);
              }
              return (await query(statement, values)) as never;
            };
            return runner;
          },
        },
      }) as DataSource;
      await expect(new ReadModel(breaking).ask(getTenant, TENANT_A)).rejects.toMatchObject(AWAY);
      await recovered(new ReadModel(dataSource), 'session ended');
    });

    it('answer engine_unavailable on a network that swallows everything, and drop the connections it spoilt', async () => {
      const { proxy, url: through } = await TcpProxy.before(url);
      try {
        const readModel = new ReadModel(
          await open({ url: through, poolSize: 2, statementTimeoutMs: 2_000 }),
        );
        await Promise.all([readModel.ask(getTenant, TENANT_A), readModel.ask(getTenant, TENANT_B)]);
        proxy.set('blackhole');
        const started = performance.now();
        const swallowed = [
          readModel.ask(getTenant, TENANT_A),
          readModel.ask(getTenant, TENANT_A),
          readModel.ask(getTenant, TENANT_A),
        ];
        for (const query of swallowed) await expect(query).rejects.toMatchObject(AWAY);
        expect(performance.now() - started).toBeLessThan(12_000);
        proxy.set('pass');
        await recovered(readModel, 'network back');
      } finally {
        await proxy.close();
      }
    });

    it('answer engine_unavailable when the server is killed in mid-query, and go on when it is back', async () => {
      const dataSource = await open();
      const readModel = new ReadModel(dataSource);
      for (let round = 0; round < 3; round += 1) {
        const block = await blockTenants();
        const queries = Array.from({ length: 5 }, () =>
          readModel.ask(getTenant, TENANT_A).catch((error: unknown) => error),
        );
        await waitingForLock(5);
        await server.kill();
        for (const error of await Promise.all(queries)) expect(error).toMatchObject(AWAY);
        await expect(readModel.asOf('tenants', listTenants)).rejects.toMatchObject(AWAY);
        await expect(open()).rejects.toMatchObject({ code: 'engine_unavailable' });
        await block.release();
        await server.start();
        await recovered(readModel, 'server back after kill -9');
      }
      expect((await readModel.asOf('tenants', listTenants)).rows).toHaveLength(2);
    }, 120_000);

    it('keep what the projector committed, and its checkpoint with it, over kills', async () => {
      const dataSource = await open();
      let acknowledged = 0;
      let stopped = false;
      const writing = (async () => {
        while (!stopped) {
          const next = acknowledged + 1;
          await asProjector(dataSource, async (manager) => {
            await upsertRows(manager, tenantsTable, 1, [
              { ...tenant(TENANT_A), name: String(next) },
            ]);
            await manager.query(
              `update ${SCHEMA}.checkpoints set position = $1 where projection = 'tenants'`,
              [String(next)],
            );
          }).then(
            () => (acknowledged = next),
            () => sleep(50),
          );
        }
      })();
      for (let round = 0; round < 3; round += 1) {
        const before = acknowledged;
        while (acknowledged < before + 20) await sleep(5);
        await server.kill();
        await server.start();
      }
      stopped = true;
      await writing;
      const [row] = await asProjector(dataSource, (manager) =>
        manager.query<{ name: string; position: string }[]>(
          `select name, position from ${TABLE}, ${SCHEMA}.checkpoints
           where tenant_id = $1 and projection = 'tenants' and version = 1`,
          [TENANT_A],
        ),
      );
      expect(row?.name).toBe(row?.position);
      expect(Number(row?.name)).toBeGreaterThanOrEqual(acknowledged);
      process.stdout.write(`read models, 3 kills: ${acknowledged} commits acknowledged, 0 lost\n`);
    }, 120_000);
  });
}

/** The service's login may end its own sessions. */
async function endSession(url: string, pid: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_terminate_backend($1)', [pid]);
  await client.end();
  await sleep(200);
}

function tenant(tenant_id: string) {
  const created_at = '2026-01-02T03:04:05.678Z';
  return {
    tenant_id,
    name: tenant_id,
    plan: null,
    created_at,
    erasure_requested_at: null,
    erased_at: null,
  };
}
