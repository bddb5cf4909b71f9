import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { sleep } from '#platform';
import { openPostgresKeyRing } from '#platform/key-ring/postgres/postgres-key-ring';

import { keyRingContract } from '../contracts/key-ring.contract.js';
import { describeWhen } from '../support/describe-when.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const masterKey = new Uint8Array(32).fill(7);

describeWhen('DATABASE_URL', 'PostgreSQL', (url) =>
  postgresKeyRing(url, process.env['DATABASE_ADMIN_URL'] ?? url),
);

/** The schema is dropped before each test: run it against a database that is for tests. */
function postgresKeyRing(url: string, adminUrl: string): void {
  const open = (key = masterKey, at = url) =>
    openPostgresKeyRing({ url: at, adminUrl, masterKey: key });
  const sql = async (statement: string, at = adminUrl) => {
    const client = new Client({ connectionString: at });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  const drop = () => sql('drop schema if exists keyring cascade');

  keyRingContract('PostgreSQL', async () => {
    await drop();
    const rings = [await open()];
    const [ring] = rings;
    if (!ring) throw new Error('No ring');
    return {
      ring,
      reopen: async () => {
        const again = await open();
        rings.push(again);
        return again;
      },
      lose: async () => {
        const rows = await sql(
          'select tenant_id, key_id, wrapped, created_at, destroyed_at from keyring.data_keys',
        );
        await Promise.all(rings.splice(0).map((opened) => opened.close()));
        await drop();
        return async () => {
          for (const { tenant_id, key_id, wrapped } of rows) {
            const hex = (wrapped as Buffer).toString('hex');
            await sql(
              `insert into keyring.data_keys (tenant_id, key_id, wrapped) values ('${String(tenant_id)}', '${String(key_id)}', '\\x${hex}')`,
            );
          }
        };
      },
      dispose: async () => void (await Promise.all(rings.map((opened) => opened.close()))),
    };
  });

  describe('key ring: PostgreSQL', () => {
    let rings: Awaited<ReturnType<typeof open>>[];
    beforeEach(async () => {
      await drop();
      rings = [];
    });
    afterEach(() => Promise.all(rings.map((ring) => ring.close())));
    const opened = async (...args: Parameters<typeof open>) => {
      const ring = await open(...args);
      rings.push(ring);
      return ring;
    };

    it('is made once when several processes open it at once', async () => {
      const all = await Promise.all(Array.from({ length: 6 }, () => opened()));
      const sealed = await all[0]?.seal('t', 'c', 'text');
      expect(await all[5]?.open('t', 'c', sealed as never)).toBe('text');
      expect(await sql('select step from keyring.migrations order by step')).toEqual([
        { step: 1 },
        { step: 2 },
        { step: 3 },
      ]);
    });

    it('has one key of a tenant, also when several processes make its first at once', async () => {
      const all = await Promise.all(Array.from({ length: 4 }, () => opened()));
      for (let round = 0; round < 20; round += 1) {
        const tenant = randomUUID();
        const sealed = await Promise.all(
          all.map((ring, index) => ring.seal(tenant, 'c', `text ${index}`)),
        );
        const reader = all[round % all.length];
        for (const [index, text] of sealed.entries())
          expect(await reader?.open(tenant, 'c', text)).toBe(`text ${index}`);
      }
    });

    it('refuses another master key than the one it was made with', async () => {
      await opened();
      await expect(open(new Uint8Array(32).fill(8))).rejects.toThrow('MASTER_KEY is not the key');
    });

    it('keeps no key in clear', async () => {
      const ring = await opened();
      await ring.seal('t', 'c', 'text');
      const [row] = await sql('select length(wrapped) as length from keyring.data_keys');
      expect(row).toEqual({ length: 12 + 32 + 16 });
    });

    it('destroys for every process within ten seconds, and for good', async () => {
      const [here, there] = [await opened(), await opened()];
      const sealed = await here.seal('t', 'c', 'text');
      expect(await there.open('t', 'c', sealed)).toBe('text');
      await here.destroy('t');
      expect(await here.open('t', 'c', sealed)).toBeNull();
      await sleep(10_100);
      expect(await there.open('t', 'c', sealed)).toBeNull();
      await expect(there.seal('t', 'c', 'again')).rejects.toMatchObject({ code: 'key_destroyed' });
      expect(
        await sql('select wrapped, destroyed_at is not null as destroyed from keyring.data_keys'),
      ).toEqual([{ wrapped: null, destroyed: true }]);
      const revive = `update keyring.data_keys set wrapped = '\\x00', destroyed_at = null`;
      await expect(sql(revive)).rejects.toThrow('destroyed for good');
    });

    it('destroys the key of a tenant that never had one', async () => {
      const ring = await opened();
      await ring.destroy('t');
      await expect((await opened()).seal('t', 'c', 'text')).rejects.toMatchObject({
        code: 'key_destroyed',
      });
    });

    it('gives the service no right to delete a row, where the owner is another', async () => {
      if (url === adminUrl) return;
      await opened();
      await expect(sql('delete from keyring.data_keys', url)).rejects.toThrow('permission denied');
      await expect(sql('drop table keyring.data_keys', url)).rejects.toThrow('must be owner');
    });

    it('answers engine_unavailable while the server is away or silent, and goes on afterwards', async () => {
      const { proxy, url: through } = await TcpProxy.before(url);
      try {
        const ring = await opened(masterKey, through);
        const sealed = await ring.seal('a', 'c', 'text');
        proxy.set('refuse');
        await expect(ring.seal('b', 'c', 'text')).rejects.toMatchObject({
          code: 'engine_unavailable',
          retryAfter: 1,
        });
        expect(await ring.open('a', 'c', sealed)).toBe('text');
        proxy.set('pass');
        await ring.seal('b', 'c', 'text');
        proxy.set('blackhole');
        await expect(ring.seal('d', 'c', 'text')).rejects.toMatchObject({
          code: 'engine_unavailable',
        });
        proxy.set('refuse');
        proxy.set('pass');
        await ring.seal('d', 'c', 'text');
      } finally {
        await proxy.close();
      }
    }, 60_000);
  });
}
