import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { upcast } from '#event-store';
import { type Clock, type KeyRing, type Logger, seeded, silentLogger } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { recordMixedHistory } from '#test/support/mixed-history';
import { proposed } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

import { Dispatcher, type DispatcherDependencies } from '../dispatcher/dispatcher.js';
import { Ledger } from '../dispatcher/ledger.js';
import { Tasks } from '../dispatcher/tasks.js';
import { Erasures, type ErasuresDependencies } from '../erasure/erasures.js';
import { PackageRetention } from '../packages/package-retention.js';
import { Scheduler } from '../scheduler/scheduler.js';
import type { Reactor } from './reactor.types.js';
import { type FoldedUpTo, Snapshots } from './snapshots.js';

const EVENTS = 1_500;
/** Long after the history, so that retries, intervals and packages are due. */
const NOW = Date.UTC(2027, 0, 1);
const clock: Clock = { now: () => new Date(NOW), monotonic: () => 1_000_000 };
const LIVE = { signal: new AbortController().signal };

describe('a restored state', () => {
  let folder: ReturnType<typeof tempDir>;
  let path: string;
  beforeEach(() => {
    folder = tempDir();
    path = `${folder.path}/reactor/snapshot.jsonl`;
  });
  afterEach(() => folder.remove());

  it.each([1, 2, 3, 4, 5])(
    'equals the state folded from the whole log, and acts as it does (history %i)',
    async (seed) => {
      const store = history(seed);
      const whole = folded(store, 0, EVENTS);
      const random = seeded(seed);
      const cuts = [1, EVENTS, ...Array.from({ length: 4 }, () => Math.ceil(random() * EVENTS))];
      for (const cut of cuts) {
        const before = folded(store, 0, cut);
        await save(snapshots(store, before), store, cut);
        const restored = pipeline(store);
        expect(await snapshots(store, restored).restore()).toMatchObject({
          position: store.events[cut - 1]?.position,
        });
        fold(restored, store, cut, EVENTS);
        expect(lines(restored)).toEqual(lines(whole));
        expect(await actions(store, cut, true)).toEqual(await actions(store, cut, false));
      }
    },
  );

  /** Appends and messages of the reactors on a copy of the log, after a snapshot or without. */
  async function actions(original: MemoryEventStore, cut: number, isRestored: boolean) {
    const store = copyOf(original);
    const sent: unknown[] = [];
    const reactors = pipeline(store, sent);
    const start = store.events.length;
    if (isRestored) await snapshots(store, reactors).restore();
    fold(reactors, store, isRestored ? cut : 0, EVENTS);
    const position = store.events.at(-1)?.position ?? null;
    for (const reactor of reactors) {
      reactor.caughtUp?.();
      await reactor.takeOver?.({ ...LIVE, position });
      await reactor.run?.({ ...LIVE, position });
    }
    await settled(store);
    for (const reactor of reactors) await reactor.release?.();
    const appended = store.events.slice(start).map(({ type, stream, data }) => {
      return JSON.stringify([type, stream, data]);
    });
    expect(appended.length).toBeGreaterThan(0);
    return { sent, appended: appended.sort() };
  }

  it('is not used when it does not fit the log, and says why', async () => {
    const store = history(1);
    const reasons: unknown[] = [];
    const logger = {
      ...silentLogger,
      info: (fields: { reason?: unknown }) => void reasons.push(fields.reason),
    } as unknown as Logger;
    const restore = (log: MemoryEventStore, options: object = {}) =>
      snapshots(log, pipeline(log), { logger, ...options }).restore();
    expect(await restore(store)).toBeNull();
    await save(snapshots(store, folded(store, 0, 1_000)), store, 1_000);
    const content = readFileSync(path, 'utf8');

    expect(await restore(store, { logId: () => Promise.resolve('other') })).toBeNull();
    expect(await restore(history(2))).toBeNull();
    expect(await restore(history(1, 999))).toBeNull();
    store.deliveryVersion = 2;
    expect(await restore(store)).toBeNull();
    store.deliveryVersion = 1;
    writeFileSync(path, content.replace('"erasures":1', '"erasures":2'));
    expect(await restore(store)).toBeNull();
    writeFileSync(path, content.slice(0, -200));
    expect(await restore(store)).toBeNull();
    writeFileSync(path, '');
    expect(await restore(store)).toBeNull();
    expect(reasons).toEqual([
      'there is none',
      'snapshot of another log',
      'the log has another history than the snapshot',
      'snapshot ahead of the log',
      'earlier subscriptions may have skipped events',
      'the checksum does not match',
      expect.any(String),
      'the file is incomplete',
    ]);
    writeFileSync(path, content);
    expect(await restore(store)).not.toBeNull();
  });

  it('leaves every state empty when a line cannot be loaded', async () => {
    const store = history(1);
    await save(snapshots(store, folded(store, 0, 1_000)), store, 1_000);
    const reactors = pipeline(store);
    const broken = reactors.at(-1)?.state;
    if (broken) broken.load = () => fail();
    expect(await snapshots(store, reactors).restore()).toBeNull();
    expect(lines(reactors)).toEqual(lines(pipeline(store)));
  });

  it('keeps the old file when saving is interrupted', async () => {
    const store = history(1);
    const saving = snapshots(store, folded(store, 0, 1_000));
    await save(saving, store, 1_000);
    const content = readFileSync(path, 'utf8');
    await expect(save(saving, store, 1_000, AbortSignal.abort(new Error('stop')))).rejects.toThrow(
      'stop',
    );
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(existsSync(folder.path)).toBe(true);
  });

  function snapshots(
    store: MemoryEventStore,
    reactors: readonly Reactor[],
    options: Partial<ConstructorParameters<typeof Snapshots>[0]> = {},
  ): Snapshots {
    const logId = () => Promise.resolve('log-1');
    return new Snapshots({ store, clock, logger: silentLogger, path, logId, reactors, ...options });
  }
});

async function save(
  snapshots: Snapshots,
  store: MemoryEventStore,
  count: number,
  signal = LIVE.signal,
): Promise<void> {
  const last = store.events[count - 1];
  if (!last) throw new Error('no event');
  const { stream, id, position, revision } = last;
  const lastEvent = { stream, id, position, revision: String(revision) };
  const begin = (): FoldedUpTo => ({ position, lastEvent });
  await snapshots.save({ signal, begin, onLinesRead: () => undefined });
}

function history(seed: number, length = EVENTS): MemoryEventStore {
  const recorded = new MemoryEventStore();
  recordMixedHistory(recorded, length, seed, true);
  const store = new MemoryEventStore();
  for (const event of recorded.events) {
    const { user_id } = event.data as { user_id?: string };
    const isUser = event.type === 'UserRegistered' && user_id !== undefined;
    const data = isUser ? { ...event.data, fingerprints: [nameOf(user_id)] } : event.data;
    store.put({ ...event, data });
  }
  return store;
}

/** Fingerprint of the only sign-in name of a person. */
function nameOf(userId: string): string {
  return createHash('sha256').update(userId).digest('hex');
}

/** Copies a log and reserves the sign-in names of its people. */
function copyOf({ events }: MemoryEventStore): MemoryEventStore {
  const store = new MemoryEventStore();
  for (const event of events) store.put(event);
  for (const { type, data, metadata } of events) {
    const { user_id } = data as { user_id?: string };
    if (type !== 'UserRegistered' || user_id === undefined) continue;
    const reserved = { type: 'AddressReserved', data: { user_id } } as const;
    store.record(`address-${nameOf(user_id)}`, proposed(reserved, metadata));
  }
  return store;
}

function folded(store: MemoryEventStore, from: number, to: number): readonly Reactor[] {
  const reactors = pipeline(store);
  fold(reactors, store, from, to);
  return reactors;
}

function fold(
  reactors: readonly Reactor[],
  { events }: MemoryEventStore,
  from: number,
  to: number,
): void {
  for (const event of events.slice(from, to)) {
    const read = upcast(event);
    if (read.kind !== 'known') continue;
    for (const reactor of reactors)
      if ((reactor.eventTypes as readonly string[]).includes(event.type)) reactor.apply(read.event);
  }
}

/** Every line that a snapshot of the reactors would have. */
function lines(reactors: readonly Reactor[]): unknown[] {
  return reactors.flatMap(({ name, state }) =>
    [...(state?.save() ?? [])].map((line) => JSON.parse(JSON.stringify([name, line])) as unknown),
  );
}

/** Waits until no reactor appends any more. */
async function settled(store: MemoryEventStore): Promise<void> {
  for (let count = -1; count !== store.events.length;) {
    count = store.events.length;
    for (let turn = 0; turn < 50; turn += 1)
      await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Reactors with state, over a log in memory and engines that only record. */
function pipeline(store: MemoryEventStore, sent: unknown[] = []): readonly Reactor[] {
  const ledger = new Ledger(clock);
  const common = { store, clock, logger: silentLogger, ledger, graceMs: 0 };
  const queue = {
    loadCheckpoint: () => Promise.resolve(null),
    saveCheckpoint: () => Promise.resolve(),
    publish: (topic: string, messages: unknown) => Promise.resolve(sent.push([topic, messages])),
  };
  const indexed = { state: () => Promise.resolve(null), hasTakenIn: () => Promise.resolve(false) };
  const keyRing = {
    standing: () => Promise.resolve('present'),
    destroy: (name: string) => Promise.resolve(sent.push(['destroyed', name])),
  } as unknown as KeyRing;
  const config = {
    jobs: { maxRetries: 3, stageTimeoutSeconds: 60 },
    limits: { retentionGenerations: 1 },
  };
  const runs = { worksForTenant: () => false };
  const erasures = { ...common, indexed, keyRing, runs, foreignAttemptMs: 0 };
  return [
    new Dispatcher({
      ...common,
      queue,
      indexed,
      config,
      tasks: new Tasks(silentLogger),
    } as unknown as DispatcherDependencies),
    new Scheduler({ ...common, maxRetries: 3 }),
    new Erasures(erasures as unknown as ErasuresDependencies),
    new PackageRetention({ ...common, bounds: { chunks: 1_000, days: 30 } }),
  ];
}

function fail(): never {
  throw new Error('bad line');
}
