import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';
import {
  isLogDamaged,
  isPositionAhead,
  openSqliteEventStore,
  type SqliteEventStore,
} from '#event-store';
import { readLog } from '#test/support/read-log';
import { freshStream, someEvents } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

import { LOG_FILE } from './sqlite-log.js';

const EVENTS = 1_200;

/** A log with more events than are verified before it opens: here 100, in production 50,000. */
describe('checking a long log', () => {
  let folder: ReturnType<typeof tempDir>;
  let good: string;
  let log: string;

  beforeEach(async () => {
    folder = tempDir();
    good = join(folder.path, 'good');
    log = join(folder.path, 'log');
    const store = await open(good);
    for (let count = 0; count < EVENTS; count += 400)
      await store.append(freshStream(), someEvents(400), 'none');
    await store.close();
    cpSync(good, log, { recursive: true });
  });
  afterEach(() => folder.remove());

  it('counts positions without gaps', async () => {
    const store = await open(log);
    const positions = (await readLog(store)).map((event) => Number(event.position));
    expect(positions).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
    await store.close();
  });

  it('stops the running process on damage, rejects opens, and opens again once the log is restored', async () => {
    tamper(log, 'UPDATE events SET data = data || char(32) WHERE position = 300');
    const fault = Promise.withResolvers<Error>();
    const store = await open(log, { verifyAtOpen: 100, onFatal: fault.resolve });
    const error = await fault.promise;
    expect(isLogDamaged(error)).toBe(true);
    expect(error.message).toContain('event at 00000000000000000300 is not what was written');
    await expect(store.append(freshStream(), someEvents(1), 'none')).rejects.toBe(error);
    await expect(readLog(store)).rejects.toBe(error);
    await store.close();

    const refused = await open(log, { verifyAtOpen: 100 }).catch((caught: unknown) => caught);
    expect(String(refused)).toContain('00000000000000000300');

    cpSync(join(good, LOG_FILE), join(log, LOG_FILE));
    const restored = await open(log, { verifyAtOpen: 100 });
    expect(await readLog(restored)).toHaveLength(EVENTS);
    await restored.close();
    expect(existsSync(join(log, 'events.damaged'))).toBe(false);
  });

  it('rejects an open at once if the damage is among the newest events', async () => {
    tamper(log, `UPDATE events SET type = 'JobFailed' WHERE position = ${EVENTS - 50}`);
    const refused = await open(log, { verifyAtOpen: 100 }).catch((caught: unknown) => caught);
    expect(isLogDamaged(refused)).toBe(true);
  });

  it('finds no fault in an intact log, and reports how much it checked', async () => {
    const store = await open(log, { verifyAtOpen: 100 });
    expect(await store.verify()).toMatchObject({ events: EVENTS });
    await store.append(freshStream(), someEvents(1), 'none');
    expect(await store.verify()).toMatchObject({ events: EVENTS + 1 });
    await store.close();
  });

  it('treats a file that is overwritten in use as fatal, once, and answers every caller', async () => {
    const faults: Error[] = [];
    const store = await open(log, { onFatal: (error) => faults.push(error) });
    writeFileSync(join(log, LOG_FILE), Buffer.alloc(4_000_000, 7));
    const calls = [
      store.verify(),
      store.append(freshStream(), someEvents(1), 'none'),
      readLog(store),
    ];
    const outcomes = await Promise.allSettled(calls);
    expect(faults).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: faults[0] });
    await expect(store.append(freshStream(), someEvents(1), 'none')).rejects.toBe(faults[0]);
    await store.close();
  });

  it('rejects a position that is ahead of the log, since the log lost events that its reader knows', async () => {
    const store = await open(log);
    const after = '00000000000000001201' as never;
    const events = store.subscribe({ after, signal: new AbortController().signal });
    const ahead = events[Symbol.asyncIterator]();
    const error = await ahead.next().catch((caught: unknown) => caught);
    expect(isPositionAhead(error)).toBe(true);
    expect(error).toMatchObject({ position: after, head: '00000000000000001200' });
    expect(String(error)).toContain(
      `Position ${String(after)} is ahead of the event log (${log}), which ends at 00000000000000001200`,
    );
    await store.close();
  });

  it('ends subscriptions and rejects calls once it is closed', async () => {
    const store = await open(log);
    const following = store.subscribe({
      after: (await store.head()) ?? 'start',
      signal: new AbortController().signal,
    });
    const iterator = following[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ kind: 'caught-up' });
    const next = iterator.next().catch((error: unknown) => error);
    await store.close();
    await store.close();
    expect(isFootnoteError(await next, 'shutting_down')).toBe(true);
    const late = await store
      .append(freshStream(), someEvents(1), 'none')
      .catch((error: unknown) => error);
    expect(isFootnoteError(late, 'shutting_down')).toBe(true);
  });
});

interface Overrides {
  readonly verifyAtOpen?: number;
  readonly onFatal?: (error: Error) => void;
}

function open(directory: string, overrides: Overrides = {}): Promise<SqliteEventStore> {
  return openSqliteEventStore({
    directory,
    onFatal: (error) => {
      throw error;
    },
    ...overrides,
  });
}

function tamper(directory: string, sql: string): void {
  const database = new DatabaseSync(join(directory, LOG_FILE));
  database.exec(sql);
  database.close();
}
