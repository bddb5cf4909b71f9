import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createProjector } from '#apps/projector/projector';
import type { RecordedEvent } from '#contracts';
import { type EventStore, openSqliteEventStore } from '#event-store';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { silentLogger } from '#platform';
import { EventStoreDbServer } from '#test/support/eventstoredb/server';
import { FakeSearchIndex } from '#test/support/fake-search-index';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { ERASED_TENANT, recordMixedHistory } from '#test/support/mixed-history';
import { FakeBlobs } from '#test/support/projector-harness';
import { readLog } from '#test/support/read-log';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { tempDir } from '#test/support/temp-dir';
import { AuditTrees } from '#transparency';

const EVENTS = 400;
const TENANTS = ['tenant-a', 'tenant-b', ERASED_TENANT];

describe('trees of one history', () => {
  const folder = tempDir();
  let sqlite: EventStore;
  let server: EventStoreDbServer;
  let other: EventStore;
  const history = new MemoryEventStore();
  let beforeErasure: number;

  beforeAll(async () => {
    recordMixedHistory(history, EVENTS, 1, true);
    beforeErasure = history.events.findIndex(({ type }) => type === 'TenantErasureRequested');
    sqlite = await openSqliteEventStore({ directory: folder.path, onFatal: fail });
    server = await EventStoreDbServer.start();
    other = await openEventStoreDb({ url: server.url, logger: silentLogger, timeoutMs: 5_000 });
    await copy(history.events, sqlite);
  });
  afterAll(async () => {
    await other.close();
    server.stop();
    await sqlite.close();
    folder.remove();
  });

  it('have the same roots on SQLite and on EventStoreDB, to which the log was copied', async () => {
    await copy(await readLog(sqlite), other);
    const roots = await project(sqlite, rootsOf);
    expect(Object.values(roots).every(({ size }) => size > 20)).toBe(true);
    expect(await project(other, rootsOf)).toEqual(roots);
  });

  it('have the same roots after a rebuild', async () => {
    await project(sqlite, async (trees, rebuild) => {
      const before = await rootsOf(trees);
      await rebuild();
      expect(await rootsOf(trees)).toEqual(before);
    });
  });

  it('have the same roots after an erasure, at the size before it', async () => {
    const until = new MemoryEventStore();
    for (const event of history.events.slice(0, beforeErasure)) until.put(event);
    const { size, root } = await project(until, (trees) => rootOf(trees, ERASED_TENANT));
    await project(sqlite, async (trees, rebuild) => {
      await rebuild();
      expect((await rootOf(trees, ERASED_TENANT)).size).toBeGreaterThan(size);
      expect((await trees.at(ERASED_TENANT, size).root()).toString('hex')).toBe(root);
    });
  });
});

/** Appends events in the order of their log, each at its revision. */
async function copy(events: readonly RecordedEvent[], to: EventStore): Promise<void> {
  for (const { stream, revision, id, type, data, metadata } of events)
    await to.append(
      stream,
      [{ id, type, data, metadata }],
      revision === 0n ? 'none' : revision - 1n,
    );
}

/** Projects a log into read models of its own and runs `work` on its trees. */
async function project<T>(
  store: EventStore,
  work: (trees: AuditTrees, rebuild: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const opened: TestReadModel = await openTestReadModel();
  const { readModel } = opened;
  const projector = createProjector({
    eventStore: store,
    readModel,
    searchIndex: new FakeSearchIndex(),
    blobs: new FakeBlobs(),
    logger: silentLogger,
  });
  await projector.start();
  try {
    await projector.caughtUp();
    const rebuild = () => projector.rebuild('audit_records');
    return await work(new AuditTrees({ readModel, store }), rebuild);
  } finally {
    await projector.stop();
    await opened.close();
  }
}

async function rootOf(trees: AuditTrees, tenantId: string) {
  const tree = await trees.newest(tenantId);
  return { size: tree.size, root: (await tree.root()).toString('hex') };
}

async function rootsOf(trees: AuditTrees) {
  const roots = await Promise.all(TENANTS.map((tenantId) => rootOf(trees, tenantId)));
  return Object.fromEntries(TENANTS.map((tenantId, at) => [tenantId, roots[at]] as const)) as {
    readonly [tenantId: string]: (typeof roots)[number];
  };
}

function fail(error: Error): void {
  throw error;
}
