import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { isLogFailed, openSqliteEventStore, type SqliteEventStore } from '#event-store';
import { runAppender, startAppender } from '#test/faults/run-log-appender';
import { readLog } from '#test/support/read-log';
import { tempDir } from '#test/support/temp-dir';

const strace = works('strace', ['-o', '/dev/null', 'true']);
const mounts = works('unshare', ['-rm', 'true']);

describe('the log in its own process', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  it('keeps every acknowledged event through ten kills at random moments', async () => {
    const acknowledged: string[] = [];
    for (let cycle = 0; cycle < 10; cycle += 1) {
      const run = await runAppender({ directory: folder.path, killAfterMs: Math.random() * 200 });
      expect(run.signal).toBe('SIGKILL');
      acknowledged.push(...run.acknowledged);
    }
    expect(acknowledged.length).toBeGreaterThan(100);
    await expectStored(acknowledged);
  });

  (strace ? it : it.skip)(
    'keeps every acknowledged event when killed at a sync (needs strace)',
    async () => {
      const acknowledged: string[] = [];
      for (const sync of [3, 5, 6, 9, 23]) {
        const inject = `inject=fsync,fdatasync:signal=SIGKILL:when=${sync}`;
        const under = [
          'strace',
          '-f',
          '-qq',
          '-o',
          '/dev/null',
          '-e',
          'trace=fsync,fdatasync',
          '-e',
          inject,
        ];
        const run = await runAppender({ directory: folder.path, count: 2_000, under });
        expect([sync, run.lines.includes('closed')]).toEqual([sync, false]);
        acknowledged.push(...run.acknowledged);
      }
      expect(acknowledged.length).toBeGreaterThan(20);
      await expectStored(acknowledged);
    },
  );

  (strace ? it : it.skip)(
    'syncs log and anchor for each group that it acknowledges (needs strace)',
    async () => {
      const trace = join(folder.path, 'trace');
      const under = ['strace', '-f', '-qq', '-o', trace, '-e', 'trace=fsync,fdatasync'];
      const run = await runAppender({ directory: join(folder.path, 'log'), count: 300, under });
      expect(run.lines.at(-1)).toBe('closed');
      const calls = readFileSync(trace, 'utf8');
      // At most six appends are in flight at once, so no group is larger.
      expect(calls.match(/\bfsync\(/g)?.length).toBeGreaterThanOrEqual(300 / 6);
      expect(calls.match(/\bfdatasync\(/g)?.length).toBeGreaterThanOrEqual(300 / 6);
    },
  );

  (strace ? it : it.skip)(
    'ends the process at the first failed sync and acknowledges nothing after it (needs strace)',
    async () => {
      const inject = 'inject=fsync,fdatasync:error=EIO:when=30';
      const under = [
        'strace',
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        'trace=fsync,fdatasync',
        '-e',
        inject,
      ];
      const run = await runAppender({ directory: folder.path, count: 2_000, under });
      expect(run.status).toBe(70);
      expect(run.lines.at(-1)).toMatch(/^fatal /);
      await expectStored(run.acknowledged);
    },
  );

  (mounts ? it : it.skip)(
    'answers a full disk with storage_full and loses nothing of what it acknowledged (needs unshare)',
    async () => {
      // The log is on a 1 MB file system, which ends with its process; its content is copied out
      // before.
      const [disk, copy] = [join(folder.path, 'disk'), join(folder.path, 'copy')];
      mkdirSync(disk);
      const inside =
        'mount -t tmpfs -o size=1m tmpfs "$DISK" && "$@"; status=$?; cp -r "$DISK" "$COPY"; exit $status';
      const under = [
        'env',
        `DISK=${disk}`,
        `COPY=${copy}`,
        'unshare',
        '-rm',
        'sh',
        '-c',
        inside,
        'sh',
      ];
      // It appends until the disk is full, so that only a fault ends it.
      const run = await runAppender({ directory: disk, under, limitMs: 60_000 });
      const said = run.lines.filter((line) => !line.startsWith('ack '));
      expect({ status: run.status, said: [...new Set(said)] }).toEqual({
        status: 0,
        said: ['open', 'full', 'closed'],
      });
      expect(run.acknowledged.length).toBeGreaterThan(100);
      await expectStored(run.acknowledged, copy);
    },
    90_000,
  );

  it('rejects a second opener and names the first', async () => {
    const other = startAppender({ directory: folder.path });
    const ended = once(other, 'close');
    try {
      if (other.stdout) await once(other.stdout, 'data');
      const error = await open(folder.path).catch((caught: unknown) => caught);
      expect(isLogFailed(error)).toBe(true);
      expect(String(error)).toContain(`in use by process ${other.pid} on `);
    } finally {
      other.kill('SIGKILL');
      await ended;
    }
  });

  /** Each acknowledged event is at its acknowledged position, and the whole log verifies. */
  async function expectStored(
    acknowledged: readonly string[],
    directory = folder.path,
  ): Promise<void> {
    const store = await open(directory);
    const events = await readLog(store);
    const stored = new Set(events.map((event) => `${event.stream} ${event.revision} ${event.id}`));
    expect(acknowledged.filter((line) => !stored.has(line))).toEqual([]);
    expect(await store.verify()).toMatchObject({ events: events.length });
    await store.close();
  }
});

function open(directory: string): Promise<SqliteEventStore> {
  return openSqliteEventStore({
    directory,
    onFatal: (error) => {
      throw error;
    },
  });
}

function works(command: string, words: string[]): boolean {
  return spawnSync(command, words, { stdio: 'ignore' }).status === 0;
}
