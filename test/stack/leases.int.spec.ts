import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { type LeaseHolder, silentLogger, sleep } from '#platform';
import { openPostgresLeases } from '#platform/lease/postgres/postgres-leases';

import { describeWhen } from '../support/describe-when.js';
import { EngineInstance } from '../support/engine-script.js';
import { PROJECT_ROOT } from '../support/project-root.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { tempDir } from '../support/temp-dir.js';

describeWhen('DATABASE_URL', 'PostgreSQL', postgresLeases);

/**
 * Take-over times are printed, not asserted to the millisecond; the bound is what the port
 * promises.
 */
function postgresLeases(database: string): void {
  describe('leases: PostgreSQL', () => {
    let name: string;
    let closing: (() => Promise<void>)[];

    beforeEach(() => {
      name = `test-${randomUUID()}`;
      closing = [];
    });
    afterEach(async () => {
      for (const close of closing.reverse()) await close();
    });

    const open = async (at = database) => {
      const leases = await openPostgresLeases({ url: at, logger: silentLogger });
      closing.push(() => leases.close());
      return leases;
    };

    it('let one work at a time, and the next when it is done', async () => {
      const one = holder(await open(), name);
      const first = await one.next();
      const two = holder(await open(), name);
      await sleep(2_500);
      expect(two.runs).toBe(0);
      first.finish();
      await one.over;
      await two.next();
      expect([one.runs, two.runs]).toEqual([1, 1]);
    });

    it('are apart by name, several in one process', async () => {
      const leases = await open();
      await holder(leases, name).next();
      await holder(leases, `${name}-other`).next();
    });

    it('are lost with the connection: the work is aborted, and another or the same process takes over', async () => {
      const one = holder(await open(), name);
      const first = await one.next();
      const two = holder(await open(), name);
      await sleep(1_200);
      const started = performance.now();
      await terminateHolder(database, name);
      await aborted(first.signal);
      const next = await Promise.race([one.next(), two.next()]);
      report('connection ended', started);
      expect(next.signal.aborted).toBe(false);
      expect(one.runs + two.runs).toBe(2);
    });

    it('go back when the outer signal aborts, and throw what the work throws', async () => {
      const leases = await open();
      const outer = new AbortController();
      const one = holder(leases, name, outer.signal);
      await one.next();
      outer.abort();
      await one.over;
      await expect(
        leases.hold(name, () => Promise.reject(new Error('broken')), {
          signal: new AbortController().signal,
        }),
      ).rejects.toThrow('broken');
    });

    it('never run the work twice in one process, even when it is slow to stop', async () => {
      const leases = await open();
      let running = 0;
      let most = 0;
      let runs = 0;
      const again = Promise.withResolvers<void>();
      const outer = new AbortController();
      const over = leases.hold(
        name,
        async (signal) => {
          running += 1;
          runs += 1;
          most = Math.max(most, running);
          if (runs === 2) again.resolve();
          await aborted(signal);
          await sleep(1_500);
          running -= 1;
        },
        { signal: outer.signal },
      );
      await sleep(500);
      await terminateHolder(database, name);
      await again.promise;
      outer.abort();
      await over;
      expect({ most, runs, running }).toEqual({ most: 1, runs: 2, running: 0 });
    });

    it('pass on within ten seconds after a kill -9 of the holder', async () => {
      const child = await startHolder(database, name);
      const next = holder(await open(), name);
      await sleep(500);
      const started = performance.now();
      child.kill('SIGKILL');
      await next.next();
      expect(report('kill -9', started)).toBeLessThan(10_000);
    });

    it('pass on within ten seconds when the holder stands still, which learns of it when it goes on', async () => {
      const child = await startHolder(database, name);
      const next = holder(await open(), name);
      await sleep(500);
      const started = performance.now();
      child.kill('SIGSTOP');
      await next.next();
      expect(report('SIGSTOP', started)).toBeLessThan(10_000);
      const line = nextLine(child);
      child.kill('SIGCONT');
      expect(await line).toBe('lost');
      child.kill('SIGKILL');
    });

    it('are given up by a holder that is cut off, before another takes over', async () => {
      const { proxy, url: through } = await TcpProxy.before(database);
      closing.push(() => proxy.close());
      const one = holder(await open(through), name);
      const first = await one.next();
      const two = holder(await open(), name);
      const started = performance.now();
      proxy.set('blackhole');
      await aborted(first.signal);
      report('cut off, noticed', started);
      expect(two.runs).toBe(0);
      await two.next();
      expect(report('cut off, taken over', started)).toBeLessThan(10_000);
    });

    it('are lost when the server is killed, and taken once when it is back', async () => {
      const folder = tempDir('footnote-postgres-');
      chmodSync(folder.path, 0o755);
      const server = await EngineInstance.at('postgres', folder.path);
      try {
        const { DATABASE_URL: own = '' } = await server.start();
        const one = holder(await open(own), name);
        const first = await one.next();
        const two = holder(await open(own), name);
        await server.kill();
        await aborted(first.signal);
        await server.start();
        const started = performance.now();
        await Promise.race([one.next(), two.next()]);
        report('server back after kill -9', started);
        await sleep(2_500);
        expect(one.runs + two.runs).toBe(2);
        for (const close of closing.splice(0)) await close();
      } finally {
        await server.stop();
        folder.remove();
      }
    }, 90_000);

    it('are not to be had while the server is away, and refuse to open then', async () => {
      const { proxy, url: through } = await TcpProxy.before(database);
      closing.push(() => proxy.close());
      const one = holder(await open(through), name);
      const first = await one.next();
      proxy.set('refuse');
      await aborted(first.signal);
      await expect(
        openPostgresLeases({ url: through, logger: silentLogger }),
      ).rejects.toMatchObject({
        code: 'engine_unavailable',
      });
      proxy.set('pass');
      await one.next();
      expect(one.runs).toBe(2);
    });
  });
}

interface Run {
  readonly holder: Holder;
  readonly signal: AbortSignal;
  finish(): void;
}
type Holder = ReturnType<typeof holder>;

/**
 * Holds a lease with work that goes on until it is finished or aborted. `next()` is its next run.
 */
function holder(leases: LeaseHolder, name: string, signal = new AbortController().signal) {
  const waiting: ((run: Run) => void)[] = [];
  const started: Run[] = [];
  const self = {
    runs: 0,
    over: Promise.resolve(),
    next: () =>
      new Promise<Run>((resolve) => {
        const run = started.shift();
        if (run) resolve(run);
        else waiting.push(resolve);
      }),
  };
  self.over = leases.hold(
    name,
    (held) => {
      self.runs += 1;
      return new Promise<void>((resolve) => {
        held.addEventListener('abort', () => resolve(), { once: true });
        const run: Run = { holder: self, signal: held, finish: resolve };
        const waiter = waiting.shift();
        if (waiter) waiter(run);
        else started.push(run);
      });
    },
    { signal },
  );
  return self;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

function report(what: string, started: number): number {
  const milliseconds = performance.now() - started;
  process.stdout.write(`lease, ${what}: ${(milliseconds / 1_000).toFixed(1)} s\n`);
  return milliseconds;
}

/** Ends the sessions that hold a lock and belong to leases. */
async function terminateHolder(database: string, name: string): Promise<void> {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and objsubid = 1
       and (classid::bigint << 32 | objid::bigint) = ('x' || encode(substr(sha256($1::bytea), 1, 8), 'hex'))::bit(64)::bigint`,
    [Buffer.from(`footnote lease ${name}`)],
  );
  await client.end();
  expect(rowCount).toBe(1);
}

async function startHolder(database: string, name: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [join(PROJECT_ROOT, 'dist/test/stack/lease-holder.process.js'), database, name],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  expect(await nextLine(child)).toBe('held');
  return child;
}

async function nextLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The process has no output');
  const [bytes] = (await once(child.stdout, 'data')) as [Buffer];
  return bytes.toString().trim();
}
