import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { ProposedEvent } from '#contracts';
import { silentLogger } from '#platform';
import { EventStoreDbServer } from '#test/support/eventstoredb/server';
import { proposed, someEvents } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

import type { EventStore } from '../event-store.port.js';
import { openEventStoreDb } from '../eventstoredb/eventstoredb-event-store.js';
import { openSqliteEventStore, type SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import { readLogId } from './log-id.js';

const refuse = (error: Error) => {
  throw error;
};

describe('the identity of a log', () => {
  let folder: ReturnType<typeof tempDir>;
  let server: EventStoreDbServer;
  const opened: EventStore[] = [];
  beforeEach(async () => {
    folder = tempDir();
    server = await EventStoreDbServer.start();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    server.stop();
    folder.remove();
  });

  const embedded = async (name: string): Promise<SqliteEventStore> => {
    const store = await openSqliteEventStore({
      directory: `${folder.path}/${name}`,
      onFatal: refuse,
    });
    opened.push(store);
    return store;
  };
  const onServer = async (): Promise<EventStore> => {
    const store = await openEventStoreDb({ url: server.url, logger: silentLogger });
    opened.push(store);
    return store;
  };
  const tenant = (name: string): ProposedEvent =>
    proposed({ type: 'TenantCreated', data: { tenant_id: 'tenant', name } });

  it('is null while the log is empty, and that of its first event from then on', async () => {
    for (const store of [await embedded('log'), await onServer()]) {
      expect(await readLogId(store)).toBeNull();
      await store.append('tenant-1', [tenant('First')], 'none');
      const id = await readLogId(store);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      await store.append('source-1', someEvents(500), 'none');
      expect(await readLogId(store)).toBe(id);
    }
  });

  it('is that of every copy of the log, whatever else is in it', async () => {
    const store = await embedded('log');
    await store.append('tenant-1', [tenant('First')], 'none');
    await store.copyTo(`${folder.path}/copy`);
    await store.append('tenant-2', [tenant('Second')], 'none');
    expect(await readLogId(await embedded('copy'))).toBe(await readLogId(store));
  });

  it('does not depend on the engine that stores the events, nor on the order of their fields', async () => {
    const first = tenant('First');
    const turned = { ...first, data: { name: 'First', tenant_id: 'tenant' } };
    const [one, other] = [await embedded('log'), await onServer()];
    await one.append('tenant-1', [first], 'none');
    await other.append('tenant-1', [turned], 'none');
    expect(await readLogId(other)).toBe(await readLogId(one));
  });

  it('differs between logs whose first events differ, even in one field', async () => {
    const first = tenant('First');
    const others: [`tenant-${string}`, ProposedEvent][] = [
      ['tenant-2', first],
      ['tenant-1', { ...first, id: tenant('Other').id }],
      ['tenant-1', { ...first, data: { ...first.data, name: 'Other' } }],
      [
        'tenant-1',
        { ...first, metadata: { ...first.metadata, occurred_at: '2026-01-02T03:04:05.679Z' } },
      ],
    ];
    const ids = new Set<string | null>();
    for (const [index, [stream, event]] of [['tenant-1', first] as const, ...others].entries()) {
      const store = await embedded(`log-${index}`);
      await store.append(stream, [event], 'none');
      ids.add(await readLogId(store));
    }
    expect(ids.size).toBe(others.length + 1);
  });
});
