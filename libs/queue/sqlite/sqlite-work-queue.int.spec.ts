import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { sleep } from '#platform';
import { workQueueContract } from '#test/contracts/work-queue.contract';
import { tempDir } from '#test/support/temp-dir';

import type { WorkQueue } from '../work-queue.port.js';
import { QueueDatabase } from './queue-database.js';
import { openSqliteWorkQueue } from './sqlite-work-queue.js';

const quick = { redeliveryDelayMs: 5, pollMs: 5, maxDeliveries: 3 };

workQueueContract(
  'SQLite',
  async () => {
    const directory = tempDir();
    let queue = await openSqliteWorkQueue({ directory: directory.path, ...quick });
    return {
      queue,
      reopen: async () => {
        await queue.close();
        queue = await openSqliteWorkQueue({ directory: directory.path, ...quick });
        return queue;
      },
      dispose: async () => {
        await queue.close();
        directory.remove();
      },
    };
  },
  { forgetsRepeatedPublishes: true, maxDeliveries: quick.maxDeliveries },
);

describe('the queue on a full disk', () => {
  it('reports a full disk, keeps its content, and continues when there is space', () => {
    const directory = tempDir();
    const database = new QueueDatabase({
      path: join(directory.path, 'q'),
      maxDeliveries: 3,
      remembered: 10,
    });
    const { db } = database as unknown as { readonly db: DatabaseSync };
    const publish = (id: string, bytes: number) =>
      database.publish('t', [{ id, key: id, body: JSON.stringify('x'.repeat(bytes)) }], 1);
    publish('small', 10);
    // A database that must not grow fails like a full disk.
    db.exec(
      `PRAGMA max_page_count = ${Number(db.prepare('PRAGMA page_count').get()?.['page_count'])}`,
    );
    expect(() => publish('large', 1_000_000)).toThrow('database or disk is full');
    db.exec('PRAGMA max_page_count = 100000');
    publish('next', 10);
    expect(database.receive('t', 10, 2, 1_000).map(({ id }) => id)).toEqual(['small', 'next']);
    database.close();
    directory.remove();
  });
});

describe('SQLite work queue', () => {
  let directory: ReturnType<typeof tempDir>;
  let queue: WorkQueue | null;
  beforeEach(() => {
    directory = tempDir();
    queue = null;
  });
  afterEach(async () => {
    await queue?.close();
    directory.remove();
  });

  it('opens a file of a version without tenants, with its waiting messages', () => {
    const options = { path: join(directory.path, 'queue.db'), maxDeliveries: 3, remembered: 10 };
    const old = new DatabaseSync(options.path);
    old.exec(`CREATE TABLE messages (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, id TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL,
      enqueued_at INTEGER NOT NULL, available_at INTEGER NOT NULL, deliveries INTEGER NOT NULL DEFAULT 0,
      lease TEXT, leased_until INTEGER, UNIQUE (topic, id)) STRICT`);
    const insert = old.prepare(
      "INSERT INTO messages (topic, id, key, body, enqueued_at, available_at) VALUES ('t', ?, ?, ?, 0, 0)",
    );
    for (const id of ['a1', 'a2', 'b1'])
      insert.run(id, id, JSON.stringify({ tenant_id: id.slice(0, 1) }));
    old.close();
    const database = new QueueDatabase(options);
    expect(database.receive('t', 4, 1, 60_000, 1).map(({ id }) => id)).toEqual(['a1', 'b1']);
    database.close();
  });

  it('omits a waiting message on request, and accepts it again once it is taken', () => {
    const database = new QueueDatabase({
      path: join(directory.path, 'queue.db'),
      maxDeliveries: 3,
      remembered: 10,
    });
    const publish = (id: string, key = 'k', body = '{"at":1}') =>
      database.publish('t', [{ id, key, body }], 0, true);
    const waiting = () => database.depth('t', 0).waiting;
    publish('m1');
    publish('m2');
    expect(waiting()).toBe(1);
    publish('m3', 'another');
    publish('m4', 'k', '{"at":2}');
    expect(waiting()).toBe(3);
    expect(database.receive('t', 1, 1, 60_000).map(({ id }) => id)).toEqual(['m1']);
    publish('m5');
    publish('m6');
    expect(waiting()).toBe(4);
    database.publish('t', [{ id: 'm7', key: 'another', body: '{"at":1}' }], 0);
    expect(waiting()).toBe(5);
    database.close();
  });

  it('releases the leases of an ended process', () => {
    const options = { path: join(directory.path, 'queue.db'), maxDeliveries: 3, remembered: 10 };
    const first = new QueueDatabase(options);
    first.publish('t', [{ id: 'a', key: 'k', body: '{}' }], 0);
    expect(first.receive('t', 1, 0, 60_000)).toHaveLength(1);
    expect(first.receive('t', 1, 0, 60_000)).toEqual([]);
    first.close();
    const second = new QueueDatabase(options);
    expect(second.receive('t', 1, 1, 60_000)).toMatchObject([{ id: 'a', deliveries: 2 }]);
    second.close();
  });

  it('moves a message whose consumers always die to the dead letters', () => {
    const options = { path: join(directory.path, 'queue.db'), maxDeliveries: 2, remembered: 10 };
    for (const time of [1, 2]) {
      const database = new QueueDatabase(options);
      database.publish('t', [{ id: 'a', key: 'k', body: '{}' }], 0);
      expect(database.receive('t', 1, time, 60_000)).toHaveLength(1);
      database.close();
    }
    const last = new QueueDatabase(options);
    expect(last.receive('t', 1, 3, 60_000)).toEqual([]);
    expect(last.deadLetters('t', 5)).toMatchObject([{ id: 'a' }]);
    last.close();
  });

  it('revokes an expired lease, aborts its handler, and ignores a late acknowledgement', () => {
    const database = new QueueDatabase({
      path: join(directory.path, 'queue.db'),
      maxDeliveries: 9,
      remembered: 10,
    });
    database.publish('t', [{ id: 'a', key: 'k', body: '{}' }], 0);
    const [first] = database.receive('t', 1, 0, 10);
    const [second] = database.receive('t', 1, 20, 10);
    expect(database.renew([first?.lease ?? '', second?.lease ?? ''], 21, 10)).toEqual([
      second?.lease,
    ]);
    database.acknowledge(first?.lease ?? '');
    expect(database.depth('t', 22).waiting).toBe(1);
    database.acknowledge(second?.lease ?? '');
    expect(database.depth('t', 22).waiting).toBe(0);
    database.close();
  });

  it('removes old ids, so that its memory is bounded', () => {
    const database = new QueueDatabase({
      path: join(directory.path, 'queue.db'),
      maxDeliveries: 9,
      remembered: 2,
    });
    for (const id of ['a', 'b', 'c']) {
      database.publish('t', [{ id, key: 'k', body: '{}' }], 0);
      database.acknowledge(database.receive('t', 1, 0, 10)[0]?.lease ?? '');
    }
    database.publish(
      't',
      ['a', 'b', 'c'].map((id) => ({ id, key: id, body: '{}' })),
      0,
    );
    expect(database.receive('t', 5, 0, 10).map(({ id }) => id)).toEqual(['a']);
    database.close();
  });

  it('renews a lease while its handler works', async () => {
    queue = await openSqliteWorkQueue({ directory: directory.path, ...quick, leaseMs: 90 });
    await queue.publish('t', [{ id: 'a', key: 'k', body: {} }]);
    let starts = 0;
    const controller = new AbortController();
    const handler = async () => {
      starts += 1;
      await sleep(400);
      controller.abort();
    };
    await queue.consume('t', handler, { concurrency: 2, signal: controller.signal });
    expect(starts).toBe(1);
    expect((await queue.depth('t')).waiting).toBe(0);
  });

  describe.each([-86_400_000, -3_600_000, 3_600_000, 86_400_000])(
    'with a wall clock that steps by %d ms',
    (step) => {
      let wall: number;
      const clock = { now: () => new Date(wall), monotonic: () => performance.now() };
      const open = () => openSqliteWorkQueue({ directory: directory.path, ...quick, clock });
      beforeEach(() => {
        wall = Date.now();
      });

      it('delivers waiting and rejected messages of before the step, each once', async () => {
        queue = await open();
        await queue.publish('t', [{ id: 'a', key: 'a', body: {} }]);
        const controller = new AbortController();
        const deliveries: number[] = [];
        wall += step;
        await queue.consume(
          't',
          async ({ deliveries: count }) => {
            deliveries.push(count);
            wall += step;
            if (count === 1) throw new Error('try again');
            controller.abort();
          },
          { signal: controller.signal },
        );
        expect(deliveries).toEqual([1, 2]);
      });

      it('keeps the lease of a handler that works across the step', async () => {
        queue = await open();
        await queue.publish('t', [{ id: 'a', key: 'a', body: {} }]);
        const controller = new AbortController();
        let starts = 0;
        const handler = async (): Promise<void> => {
          starts += 1;
          wall += step;
          // Long enough for many polls by the second slot of this consumer.
          for (let polls = 0; polls < 10; polls += 1) await sleep(quick.pollMs);
          controller.abort();
        };
        await queue.consume('t', handler, { concurrency: 2, signal: controller.signal });
        expect(starts).toBe(1);
      });

      it('delivers, after a restart, messages that a process with the former clock left', async () => {
        queue = await open();
        await queue.publish('t', [{ id: 'a', key: 'a', body: {} }]);
        await queue.close();
        wall += step;
        queue = await open();
        const controller = new AbortController();
        await queue.consume('t', async () => controller.abort(), { signal: controller.signal });
        expect((await queue.depth('t')).waiting).toBe(0);
      });
    },
  );

  it('starts empty when its file is unreadable', async () => {
    writeFileSync(
      join(directory.path, 'queue.db'),
      'this is no database, not at all, whatever one does with it',
    );
    queue = await openSqliteWorkQueue({ directory: directory.path, ...quick });
    expect(await queue.depth('t')).toEqual({ waiting: 0, oldestAgeMs: null });
  });

  it('returns the space of a past backlog at the next start, and keeps waiting messages', () => {
    const folder = tempDir();
    const path = join(folder.path, 'queue.db');
    const options = { path, maxDeliveries: 3, remembered: 10 };
    const pages = () => {
      const file = new DatabaseSync(path);
      const count = Number(file.prepare('PRAGMA page_count').get()?.['page_count']);
      file.close();
      return count;
    };
    const full = new QueueDatabase(options);
    const body = JSON.stringify({ text: 'x'.repeat(20_000) });
    full.publish(
      'topic',
      Array.from({ length: 1_000 }, (_, at) => ({ id: String(at), key: String(at), body })),
      0,
    );
    for (const { lease } of full.receive('topic', 999, 1, 1_000)) full.acknowledge(lease);
    full.close();
    const before = pages();
    const opened = new QueueDatabase(options);
    expect(opened.depth('topic', 2).waiting).toBe(1);
    opened.close();
    expect(before).toBeGreaterThan(4_000);
    expect(pages()).toBeLessThan(100);
    folder.remove();
  });
});
