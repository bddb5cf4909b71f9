import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { SYSTEM_TENANT } from '#contracts';
import { loadConfig, silentLogger } from '#platform';
import { EventStoreDbServer } from '#test/support/eventstoredb/server';
import { readLog } from '#test/support/read-log';
import { proposed } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

import { openEngines } from '../open-engines.js';

const NEEDS = ['eventStore', 'blobs', 'keyRing', 'queue'] as const;

describe('engines and their log', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const open = (name = 'data', variables: Record<string, string> = {}) =>
    openEngines(
      loadConfig({ DATA_DIR: `${folder.path}/${name}`, ...variables }, '/'),
      silentLogger,
      NEEDS,
    );
  const loseLog = () => rmSync(`${folder.path}/data/log`, { recursive: true });

  it('start an empty log with one event of no tenant, and bind every store to it, once', async () => {
    for (let start = 0; start < 2; start += 1) {
      const engines = await open();
      const events = await readLog(engines.eventStore);
      expect(events.map(({ type, metadata }) => [type, metadata.tenant_id])).toEqual([
        ['LogCreated', SYSTEM_TENANT],
      ]);
      const { log, stores } = await engines.identity.standing();
      expect(log).not.toBeNull();
      expect(stores.map(({ store, boundTo }) => [store, boundTo])).toEqual([
        ['blobs', log],
        ['queue', log],
        ['keyRing', log],
      ]);
      await engines.close();
    }
  });

  it('bind stores that an older version filled, whatever the first event of the log is', async () => {
    const old = await openEngines(
      loadConfig({ DATA_DIR: `${folder.path}/data` }, '/'),
      silentLogger,
      ['eventStore'],
    );
    await old.eventStore.append(
      'tenant-1',
      [proposed({ type: 'TenantCreated', data: { tenant_id: '1', name: 'Old' } })],
      'none',
    );
    await old.close();
    const alone = await openEngines(
      loadConfig({ DATA_DIR: `${folder.path}/data` }, '/'),
      silentLogger,
      ['blobs'],
    );
    const hash = await alone.blobs.put(Buffer.from('old'));
    await alone.close();
    const engines = await open();
    expect((await readLog(engines.eventStore)).map(({ type }) => type)).toEqual(['TenantCreated']);
    expect((await engines.identity.standing()).stores.map(({ state }) => state)).toEqual([
      'same',
      'same',
      'same',
    ]);
    expect(await engines.blobs.has(hash)).toBe(true);
    await engines.close();
  });

  it('reject an emptied log with unbound stores that are not empty, and write nothing', async () => {
    const alone = await openEngines(
      loadConfig({ DATA_DIR: `${folder.path}/data` }, '/'),
      silentLogger,
      ['blobs'],
    );
    await alone.blobs.put(Buffer.from('old'));
    await alone.close();
    await expect(open()).rejects.toThrow(
      'content (DATA_DIR/blobs) is not empty; nothing was changed',
    );
    const log = await openEngines(
      loadConfig({ DATA_DIR: `${folder.path}/data` }, '/'),
      silentLogger,
      ['eventStore'],
    );
    expect(await log.eventStore.head()).toBeNull();
    await log.close();
  });

  it('reject a lost log and open again after it was restored', async () => {
    const first = await open();
    const { log } = await first.identity.standing();
    await first.embeddedLog?.copyTo(`${folder.path}/copy`);
    await first.close();
    loseLog();
    await expect(open()).rejects.toMatchObject({ code: 'other_log', standing: { log: null } });
    loseLog();
    cpSync(`${folder.path}/copy`, `${folder.path}/data/log`, { recursive: true });
    const again = await open();
    expect(await again.identity.logId()).toBe(log);
    await again.close();
  });

  it('reject a key ring that was lost, write nothing, and open again after it was restored', async () => {
    const keys = `${folder.path}/data/keys`;
    const first = await open();
    const sealed = await first.keyRing.seal('t', 'place', 'secret');
    await first.close();
    for (const isLeft of [false, true]) {
      cpSync(keys, `${folder.path}/copy`, { recursive: true });
      rmSync(keys, { recursive: true });
      if (isLeft) mkdirSync(keys);
      await expect(open()).rejects.toThrow(
        /^The key ring \(DATA_DIR\/keys\) is missing or empty, but the event log \(DATA_DIR\/log\) is log .*; nothing was changed: put the folder DATA_DIR\/keys back, .*npm run adopt/,
      );
      expect(existsSync(keys) ? readdirSync(keys) : []).toEqual([]);
      rmSync(keys, { recursive: true, force: true });
      cpSync(`${folder.path}/copy`, keys, { recursive: true });
      const again = await open();
      expect(await again.keyRing.open('t', 'place', sealed)).toBe('secret');
      await again.close();
    }
  });

  it.each([
    [
      'text that was sealed',
      { type: 'ReceiptContinued', data: { part: 1, sealed: 'c2VhbGVk' } },
      false,
    ],
    ['nothing sealed', { type: 'TenantCreated', data: { tenant_id: 't', name: 'T' } }, true],
  ] as const)(
    'classify an empty key ring and a log with %s, without proof in the content',
    async (_, event, opens) => {
      const config = loadConfig({ DATA_DIR: `${folder.path}/data` }, '/');
      const log = await openEngines(config, silentLogger, ['eventStore']);
      await log.eventStore
        .append('quota-t-search', [proposed(event)], 'none')
        .finally(() => log.close());
      const opening = openEngines(config, silentLogger, ['eventStore', 'keyRing']);
      if (!opens) return expect(opening).rejects.toMatchObject({ code: 'other_log' });
      await (await opening).close();
    },
  );

  it('start a new key ring if the operator gives up the lost one', async () => {
    await (await open()).close();
    rmSync(`${folder.path}/data/keys`, { recursive: true });
    const config = loadConfig({ DATA_DIR: `${folder.path}/data` }, '/');
    const adopting = await openEngines(config, silentLogger, NEEDS, undefined, { adopting: true });
    await adopting.identity.adopt(async () => undefined);
    await adopting.close();
    await (await open()).close();
  });

  it('agree on one identity when eight processes start one log at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const server = await EventStoreDbServer.start();
      try {
        const names = Array.from({ length: 8 }, (_, index) => `${round}-${index}`);
        const all = await Promise.all(
          names.map((name) => open(name, { EVENTSTORE_URL: server.url })),
        );
        const standings = await Promise.all(all.map(({ identity }) => identity.standing()));
        expect(new Set(standings.map(({ log }) => log)).size).toBe(1);
        expect(
          new Set(standings.flatMap(({ stores }) => stores.map(({ state }) => state))),
        ).toEqual(new Set(['same']));
        expect(
          await readLog(all[0]?.eventStore as (typeof all)[number]['eventStore']),
        ).toHaveLength(1);
        await Promise.all(all.map((each) => each.close()));
      } finally {
        server.stop();
      }
    }
  }, 60_000);
});
