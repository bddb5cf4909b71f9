import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { ProposedEvent } from '#contracts';
import { openSqliteEventStore, type SqliteEventStore } from '#event-store';
import { uuidv7 } from '#platform';
import { tempDir } from '#test/support/temp-dir';

function tenantCreated(id: string): ProposedEvent {
  return {
    id: uuidv7(),
    type: 'TenantCreated',
    data: { tenant_id: id, name: `Tenant ${id}` },
    metadata: {
      tenant_id: id,
      actor: { type: 'system', id: 'test' },
      correlation_id: id,
      causation_id: id,
      schema_version: 1,
      occurred_at: '2026-01-01T00:00:00.000Z',
    },
  };
}

async function eventIds(store: SqliteEventStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const delivery of store.subscribe({
    after: 'start',
    signal: new AbortController().signal,
  })) {
    if (delivery.kind === 'caught-up') return ids;
    if (delivery.kind === 'event') ids.push(delivery.event.id);
  }
  return ids;
}

describe('copying a log that is in use', () => {
  let folder: ReturnType<typeof tempDir>;
  let store: SqliteEventStore;
  const open = (name: string) =>
    openSqliteEventStore({
      directory: join(folder.path, name),
      onFatal: (error) => {
        throw error;
      },
    });

  beforeEach(async () => {
    folder = tempDir();
    store = await open('log');
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  it('creates a log that opens, verifies and has everything acknowledged before the copy began', async () => {
    for (let index = 0; index < 300; index += 1) {
      const id = uuidv7();
      await store.append(`tenant-${id}`, [tenantCreated(id)], 'none');
    }
    const before = await eventIds(store);
    const appending = (async () => {
      for (let index = 0; index < 300; index += 1) {
        const id = uuidv7();
        await store.append(`tenant-${id}`, [tenantCreated(id)], 'none');
      }
    })();
    const head = await store.copyTo(join(folder.path, 'copy'));
    await appending;

    const copy = await open('copy');
    try {
      const copied = await eventIds(copy);
      expect(copied.slice(0, 300)).toEqual(before);
      expect(copied).toEqual((await eventIds(store)).slice(0, copied.length));
      expect((await copy.verify()).events).toBe(copied.length);
      expect(await copy.head()).toBe(head?.position);
    } finally {
      await copy.close();
    }
  });

  it('copies an empty log', async () => {
    expect(await store.copyTo(join(folder.path, 'copy'))).toBeNull();
    const copy = await open('copy');
    expect(await copy.head()).toBeNull();
    await copy.close();
  });
});
