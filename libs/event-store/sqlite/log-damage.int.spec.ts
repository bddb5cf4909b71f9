import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { isLogDamaged } from '#event-store';
import { someEvents } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

import type { LogRow } from './log-protocol.js';
import { formatPosition } from './position.js';
import { encodeEvent } from './row-codec.js';
import { ANCHOR_FILE, LOG_FILE, SqliteLog } from './sqlite-log.js';

const WAL_FILE = `${LOG_FILE}-wal`;
const ALL = Infinity;

/**
 * Copies of one log, as a power failure leaves them, which are then damaged. Acknowledged events
 * must come back, or the log must refuse to open and say where: nothing in between.
 */
describe('a damaged log', () => {
  const folder = tempDir();
  let copies = 0;

  /**
   * `older`: 120 events. `ahead`: 20 more in the WAL than its anchor knows. `whole`: all 140,
   * acknowledged.
   */
  const [live, older, ahead, whole, closed] = ['live', 'older', 'ahead', 'whole', 'closed'].map(
    (name) => join(folder.path, name),
  ) as [string, string, string, string, string];
  let written: readonly LogRow[] = [];

  beforeAll(() => {
    const log = SqliteLog.open(live, ALL);
    for (let round = 0; round < 12; round += 1) append(log, 'source-a', 10);
    cpSync(live, older, { recursive: true });
    append(log, 'source-b', 20);
    cpSync(live, whole, { recursive: true });
    cpSync(live, ahead, { recursive: true });
    cpSync(join(older, ANCHOR_FILE), join(ahead, ANCHOR_FILE));
    written = everything(log);
    log.close();
    cpSync(live, closed, { recursive: true });
  });
  afterAll(() => folder.remove());

  it('is complete after the death of its process', () => {
    expect(reopen(copyOf(whole))).toEqual({ rows: written, recovered: 0 });
    expect(reopen(copyOf(closed))).toEqual({ rows: written, recovered: 0 });
  });

  it('is accepted up to its end if the crash came between the two syncs', () => {
    const copy = copyOf(ahead);
    expect(reopen(copy)).toEqual({ rows: written, recovered: 20 });
    expect(reopen(copy)).toEqual({ rows: written, recovered: 0 });
  });

  it('is recovered if its unacknowledged tail is torn, at any byte', () => {
    const from = statSync(join(older, WAL_FILE)).size;
    const to = statSync(join(ahead, WAL_FILE)).size;
    for (const size of spread(from, to - 1, 25)) {
      const copy = copyOf(ahead);
      truncateSync(join(copy, WAL_FILE), size);
      expect(reopen(copy)).toEqual({ rows: written.slice(0, 120), recovered: 0 });
    }
  });

  it('is rejected if acknowledged events are missing, with both positions', () => {
    const to = statSync(join(whole, WAL_FILE)).size;
    for (const size of spread(0, to - 1, 25)) {
      const copy = copyOf(whole);
      truncateSync(join(copy, WAL_FILE), size);
      expect(refusal(copy)).toMatch(
        /^LogDamagedError: The event log ends at 0\d{19} but .* up to 00000000000000000140/,
      );
    }
    const restored = copyOf(older);
    cpSync(join(whole, ANCHOR_FILE), join(restored, ANCHOR_FILE));
    expect(refusal(restored)).toContain(
      `ends at ${formatPosition(120)} but was acknowledged up to ${formatPosition(140)}`,
    );
  });

  it('is rejected without its anchor, and if the anchor belongs to another log', () => {
    const blind = copyOf(closed);
    rmSync(join(blind, ANCHOR_FILE));
    expect(refusal(blind)).toMatch(
      /ends at 00000000000000000140 but its anchor, events\.head, is missing/,
    );

    const other = join(folder.path, 'other');
    const log = SqliteLog.open(other, ALL);
    append(log, 'source-z', 200);
    log.close();
    cpSync(join(closed, ANCHOR_FILE), join(other, ANCHOR_FILE));
    expect(refusal(other)).toMatch(
      /event at 00000000000000000140 is not the one that was acknowledged/,
    );
  });

  it.each([
    ['an event is gone', 'DELETE FROM events WHERE position = 70', 70],
    ['the first event is gone', 'DELETE FROM events WHERE position = 1', 1],
    [
      'data was changed',
      `UPDATE events SET data = replace(data, 'job-3', 'job-4') WHERE position = 64`,
      64,
    ],
    [
      'a time was changed',
      'UPDATE events SET recorded_at = recorded_at + 1 WHERE position = 12',
      12,
    ],
    ['a hash was changed', 'UPDATE events SET hash = randomblob(32) WHERE position = 99', 99],
    ['two events changed places', swap(30, 31), 30],
  ])('is rejected if %s in the middle, with the position', (_, sql, place) => {
    const copy = copyOf(closed);
    tamper(copy, sql);
    expect(refusal(copy)).toContain(formatPosition(place));
  });

  it('is rejected or intact, never wrong, when any one bit of its file is flipped', () => {
    const size = statSync(join(closed, LOG_FILE)).size;
    const outcomes = spread(0, size - 1, 220).map((at, index) => {
      const copy = copyOf(closed);
      flipBit(join(copy, LOG_FILE), at, index % 8);
      return outcome(copy);
    });
    expect(new Set(outcomes)).toEqual(new Set(['refused', 'unhurt']));
    expect(outcomes.filter((kind) => kind === 'refused').length).toBeGreaterThan(
      outcomes.length / 2,
    );
  });

  it('is rejected or intact, never wrong, when any one bit of its write-ahead log is flipped', () => {
    const size = statSync(join(whole, WAL_FILE)).size;
    const outcomes = spread(0, size - 1, 60).map((at, index) => {
      const copy = copyOf(whole);
      flipBit(join(copy, WAL_FILE), at, index % 8);
      return outcome(copy);
    });
    expect(outcomes.filter((kind) => kind === 'refused').length).toBeGreaterThan(
      outcomes.length / 2,
    );
  });

  it('is not read across a gap that opened after it was verified', () => {
    const log = SqliteLog.open(copyOf(closed), 0);
    const page = {
      kind: 'read-stream',
      stream: 'source-a',
      from: 0,
      backwards: false,
      limit: 500,
    } as const;
    expect(log.readStream(page).rows).toHaveLength(120);
    log.close();

    const gap = copyOf(closed);
    tamper(gap, 'DELETE FROM events WHERE position = 70');
    const open = SqliteLog.open(gap, 0);
    expect(() => open.readStream(page)).toThrow(/skips from 69 to 70 near 00000000000000000071/);
    expect(() => open.readStream({ ...page, backwards: true, from: null })).toThrow(
      /skips from 69 to 68/,
    );
    expect(() =>
      open.scan({ kind: 'scan', after: 60, types: null, categories: null, limit: 500 }),
    ).toThrow(/skips from 70 to 71/);
    open.close();
  });

  it('survives a torn anchor: the previous slot is still valid', () => {
    const torn = copyOf(whole);
    const bytes = readFileSync(join(torn, ANCHOR_FILE));
    const newest = bytes.indexOf(formatPosition(140));
    bytes[newest + 19] = 0;
    writeFileSync(join(torn, ANCHOR_FILE), bytes);
    expect(reopen(torn)).toEqual({ rows: written, recovered: 20 });
  });

  /** `refused`, `unhurt`, or the recovered content. */
  function outcome(directory: string): unknown {
    try {
      const { rows } = reopen(directory);
      return JSON.stringify(rows) === JSON.stringify(written) ? 'unhurt' : rows;
    } catch (error) {
      return isRefusal(error) ? 'refused' : error;
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  function copyOf(original: string): string {
    const copy = join(folder.path, `copy-${(copies += 1)}`);
    cpSync(original, copy, { recursive: true });
    return copy;
  }
});

function append(log: SqliteLog, stream: string, count: number): void {
  const events = someEvents(count).map(encodeEvent);
  const [result] = log.append(
    [{ kind: 'append', tag: 1, stream, expected: 'any', events }],
    1_767_323_045_678,
  );
  expect(result?.kind).toBe('appended');
}

function everything(log: SqliteLog): readonly LogRow[] {
  return log.scan({ kind: 'scan', after: 0, types: null, categories: null, limit: 10_000 }).rows;
}

function reopen(directory: string): {
  readonly rows: readonly LogRow[];
  readonly recovered: number;
} {
  const log = SqliteLog.open(directory, ALL);
  const result = { rows: everything(log), recovered: log.recovered };
  log.close();
  return result;
}

function refusal(directory: string): string {
  try {
    reopen(directory);
  } catch (error) {
    expect(isLogDamaged(error)).toBe(true);
    return String(error);
  }
  throw new Error('the damaged log was opened');
}

/** Damage is reported by this code or, if SQLite cannot read the file, by SQLite. */
function isRefusal(error: unknown): boolean {
  return isLogDamaged(error) || (typeof error === 'object' && error !== null && 'errcode' in error);
}

function tamper(directory: string, sql: string): void {
  const database = new DatabaseSync(join(directory, LOG_FILE));
  database.exec(sql);
  database.close();
}

function swap(one: number, other: number): string {
  return `UPDATE events SET position = -1 WHERE position = ${one};
    UPDATE events SET position = ${one} WHERE position = ${other};
    UPDATE events SET position = ${other} WHERE position = -1`;
}

function flipBit(path: string, at: number, bit: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
}

/** Returns `count` integers from `from` to `to`, evenly spread, both ends included. */
function spread(from: number, to: number, count: number): number[] {
  return Array.from(
    { length: count },
    (_, index) => from + Math.round(((to - from) * index) / (count - 1)),
  );
}
