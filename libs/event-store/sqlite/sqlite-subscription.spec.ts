import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { SubscriptionDelivery, SubscriptionFilter } from '../event-store.port.js';
import { HeadSignal } from './head-signal.js';
import type { LogRow, ScanPage, ScanRequest } from './log-protocol.js';
import { LogTail, passes, type TailBounds, TailEvent } from './log-tail.js';
import { formatPosition } from './position.js';
import { subscribeToLog } from './sqlite-subscription.js';

/** A log in memory with a tail before it, which counts its reads. */
class CountingLog {
  readonly directory = 'log';
  readonly head = new HeadSignal(0);
  readonly tail: LogTail;
  readonly rows: LogRow[] = [];
  scans = 0;

  constructor(bounds?: TailBounds) {
    this.tail = new LogTail(0, bounds);
  }

  append(types: readonly string[]): void {
    for (const type of types) {
      const position = this.rows.length + 1;
      const stream = type.startsWith('Job') ? 'job-1' : 'source-1';
      const row = {
        id: `${position}`,
        type,
        stream,
        revision: position,
        position,
        recordedAt: 1,
        data: '{}',
        metadata: '{}',
      };
      this.rows.push(row);
      this.tail.add(row);
    }
    this.head.advance(this.rows.length);
  }

  scan = async ({ after, types, categories, limit }: ScanRequest): Promise<ScanPage> => {
    this.scans += 1;
    await delay(1);
    const wanted = passes({ ...(types && { types }), ...(categories && { categories }) });
    const found = this.rows
      .filter((row) => row.position > after && wanted(new TailEvent(row)))
      .slice(0, limit);
    const head = this.rows.length;
    const considered = found.length === limit ? (found.at(-1)?.position ?? head) : head;
    return { rows: found, considered, atHead: considered >= head };
  };
}

interface Reader {
  readonly seen: number[];
  readonly reported: number[];
  readonly running: Promise<void>;
}

function read(
  log: CountingLog,
  filter: SubscriptionFilter,
  signal: AbortSignal,
  pauseMs: () => number,
): Reader {
  const reader = { seen: [] as number[], reported: [] as number[] };
  const options = { after: 'start' as const, filter, signal };
  const place = (delivery: SubscriptionDelivery): number | null =>
    delivery.kind === 'event'
      ? Number(delivery.event.position)
      : delivery.kind === 'checkpoint'
        ? Number(delivery.position)
        : null;
  const running = (async () => {
    for await (const delivery of subscribeToLog(log, options)) {
      const at = place(delivery);
      if (at !== null) reader.reported.push(at);
      if (delivery.kind === 'event') reader.seen.push(Number(delivery.event.position));
      const pause = pauseMs();
      if (pause > 0) await delay(pause);
    }
  })();
  return { ...reader, running };
}

async function until(done: () => boolean): Promise<void> {
  for (let left = 5_000; !done(); left -= 1) {
    if (left === 0) throw new Error('It did not come');
    await delay(1);
  }
}

describe('subscriptions over one tail', () => {
  it('do not read the log while they follow new commits', async () => {
    const log = new CountingLog();
    log.append(['SourceRegistered', 'JobRequested']);
    const stop = new AbortController();
    const filters = [
      {},
      { types: ['JobRequested'] },
      { categories: ['source'] },
      { types: ['PolicyReset'] },
    ];
    const readers = filters.map((filter) => read(log, filter, stop.signal, () => 0));
    for (let round = 0; round < 40; round += 1) {
      log.append(['JobRequested', 'SourceRegistered', 'JobCompleted']);
      await delay(0);
    }
    await until(() => readers.every(({ reported }) => reported.at(-1) === log.rows.length));
    stop.abort();
    await Promise.all(readers.map(({ running }) => running));
    expect(log.scans).toBe(0);
    expect(readers.map(({ seen }) => seen.length)).toEqual([122, 41, 41, 0]);
  });

  it('read the log for events that left the tail, and return to the tail', async () => {
    const log = new CountingLog({ events: 10, bytes: 1e9 });
    log.append(new Array<string>(1_200).fill('JobRequested'));
    const stop = new AbortController();
    const reader = read(log, {}, stop.signal, () => 0);
    await until(() => reader.seen.length === 1_200);
    const { scans } = log;
    expect(scans).toBeGreaterThan(0);
    log.append(['JobRequested']);
    await until(() => reader.seen.length === 1_201);
    stop.abort();
    await reader.running;
    expect(log.scans).toBe(scans);
    expect(reader.seen).toEqual(log.rows.map(({ position }) => position));
  });

  it('deliver every event that passes once and in order, whatever the sizes, filters and speeds', async () => {
    const types = ['JobRequested', 'JobCompleted', 'SourceRegistered', 'SourceRemoved'];
    const filter = fc.record(
      {
        types: fc.subarray(types, { minLength: 1 }),
        categories: fc.subarray(['job', 'source'], { minLength: 1 }),
      },
      { requiredKeys: [] },
    );
    const readersOf = fc.array(fc.record({ filter, slow: fc.integer({ min: 0, max: 4 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    const appends = fc.array(fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 12 }), {
      maxLength: 12,
    });
    const bounds = fc.record({
      events: fc.integer({ min: 1, max: 12 }),
      bytes: fc.integer({ min: 500, max: 6_000 }),
    });
    await fc.assert(
      fc.asyncProperty(readersOf, appends, bounds, async (asked, groups, bound) => {
        const log = new CountingLog(bound);
        const stop = new AbortController();
        const readers = asked.map(({ filter: wanted, slow }) => {
          let turn = 0;
          return read(log, wanted, stop.signal, () => ((turn += 1) % 3 === 0 ? slow : 0));
        });
        for (const group of groups) {
          log.append(group);
          await delay(0);
          expect(log.tail.size.bytes).toBeLessThanOrEqual(bound.bytes);
        }
        await until(() =>
          readers.every(({ reported }) => (reported.at(-1) ?? 0) === log.rows.length),
        );
        stop.abort();
        await Promise.all(readers.map(({ running }) => running));
        for (const [index, { seen, reported }] of readers.entries()) {
          const wanted = passes(asked[index]?.filter);
          const expected = log.rows
            .filter((row) => wanted(new TailEvent(row)))
            .map(({ position }) => position);
          expect(seen).toEqual(expected);
          expect(reported).toEqual([...new Set(reported)].sort((a, b) => a - b));
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('do not wait for a reader that does not read, which keeps nothing in the tail', async () => {
    const log = new CountingLog({ events: 20, bytes: 1e9 });
    log.append(['JobRequested', 'JobRequested']);
    const stop = new AbortController();
    const stalled = subscribeToLog(log, { after: 'start', signal: stop.signal });
    expect((await stalled.next()).value).toMatchObject({ kind: 'event' });
    const reader = read(log, {}, stop.signal, () => 0);
    for (let round = 0; round < 50; round += 1) log.append(['JobRequested', 'JobRequested']);
    await until(() => reader.seen.length === 102);
    expect(log.tail.size.events).toBe(20);
    const rest: string[] = [];
    while (rest.length < 101) {
      const { value } = await stalled.next();
      if (value?.kind === 'event') rest.push(value.event.position);
    }
    expect(rest).toEqual(log.rows.slice(1).map(({ position }) => formatPosition(position)));
    stop.abort();
    await reader.running;
  });

  it('yield to the process while they catch up from the tail', async () => {
    const log = new CountingLog();
    log.append(new Array<string>(3_000).fill('JobRequested'));
    const stop = new AbortController();
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const ticking = setImmediate(function tick() {
      turns += 1;
      if (!stop.signal.aborted) setImmediate(tick);
    });
    const reader = read(log, {}, stop.signal, () => 0);
    await until(() => reader.seen.length === 3_000);
    stop.abort();
    clearInterval(timer);
    clearImmediate(ticking);
    await reader.running;
    expect(log.scans).toBe(0);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
