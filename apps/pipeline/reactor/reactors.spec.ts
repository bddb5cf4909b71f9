import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { RecordedEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import { type Logger, silentLogger, systemClock } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { recordMixedHistory } from '#test/support/mixed-history';
import { proposed } from '#test/support/sample-events';

import type { Reactor, ReactorState } from './reactor.types.js';
import { Reactors } from './reactors.js';
import type { SaveOptions, Snapshots } from './snapshots.js';

const HISTORY = 200;

/** Reactor that records its calls. */
class Recorder implements Reactor {
  readonly eventTypes = ['SourceRegistered', 'JobRequested'] as const;
  readonly intervalMs = 5;
  readonly applied: RecordedDomainEvent[] = [];
  readonly calls: string[] = [];

  constructor(
    readonly name: string,
    readonly runsEverywhere = false,
  ) {}

  apply(event: RecordedDomainEvent): boolean {
    this.applied.push(event);
    return false;
  }
  caughtUp(): void {
    this.calls.push('caught up');
  }
  async takeOver(): Promise<void> {
    this.calls.push('take over');
  }
  async run(): Promise<void> {
    this.calls.push('run');
  }
  async release(): Promise<void> {
    this.calls.push('release');
  }
}

describe('reactors', () => {
  let store: MemoryEventStore;
  let stop: AbortController;
  let running: Promise<unknown>;
  let warnings: string[];
  beforeEach(() => {
    store = new MemoryEventStore();
    recordMixedHistory(store, HISTORY);
    stop = new AbortController();
    running = Promise.resolve();
    warnings = [];
  });
  afterEach(async () => {
    stop.abort();
    await running;
  });

  function start(reactors: readonly Reactor[], options: Partial<Snapshots> = {}): Reactors {
    const note = (_: unknown, text: string): void => void warnings.push(text);
    const logger = { ...silentLogger, warn: note, error: note } as unknown as Logger;
    const snapshots = {
      restore: () => Promise.resolve(null),
      save: () => Promise.resolve(),
      ...options,
    } as Snapshots;
    const host = new Reactors({
      store,
      clock: systemClock,
      logger,
      reactors,
      snapshots,
      onCaughtUp: () => Promise.resolve(),
    });
    running = host.run(stop.signal);
    return host;
  }

  const until = async (holds: () => boolean): Promise<void> => {
    const deadline = performance.now() + 5_000;
    while (!holds()) {
      if (performance.now() > deadline) throw new Error(`Waited too long for ${String(holds)}`);
      await new Promise<void>((resolve) => setTimeout(resolve, 1));
    }
  };
  const eventsOf = (types: readonly string[]) =>
    store.events.filter(({ type }) => types.includes(type)).map(({ id }) => id);

  it('apply every event of their types once, in order, and follow new ones', async () => {
    const reactor = new Recorder('a');
    start([reactor]);
    await until(() => reactor.calls.includes('caught up'));
    recordMixedHistory(store, HISTORY + 50, 2);
    const expected = eventsOf(reactor.eventTypes);
    await until(() => reactor.applied.length >= expected.length);
    expect(reactor.applied.map(({ id }) => id)).toEqual(expected);
  });

  it('deliver live types only after history', async () => {
    const seen: string[] = [];
    const live: Reactor = {
      name: 'live',
      eventTypes: [],
      liveEventTypes: ['SourceRegistered'],
      apply: ({ id }) => seen.push(id) > Infinity,
    };
    const reactor = new Recorder('a');
    start([reactor, live]);
    await until(() => reactor.calls.includes('caught up'));
    const before = store.events.length;
    recordMixedHistory(store, HISTORY + 100, 2);
    const expected = store.events.slice(before).filter(({ type }) => type === 'SourceRegistered');
    await until(() => seen.length === expected.length);
    expect(seen).toEqual(expected.map(({ id }) => id));
  });

  it('do not run in the middle of an append, however long its events take', async () => {
    const reactor = new Recorder('slow', true);
    const runs: number[] = [];
    const types = ['JobStageAdvanced', 'JobStageStarted'] as const;
    const slow: Reactor = {
      name: 'slow',
      eventTypes: types,
      runsEverywhere: true,
      apply: (event) => {
        reactor.apply(event);
        const end = performance.now() + 15;
        while (performance.now() < end);
        return true;
      },
      run: () => Promise.resolve(void runs.push(reactor.applied.length)),
    };
    store = new MemoryEventStore();
    start([slow]);
    await until(() => runs.length > 0);
    const work = { job_id: 'j1', stage: 'fetch', attempt: 1 } as const;
    const advanced = {
      ...work,
      next: 'parse',
      artifact: 'a'.repeat(64),
      stage_details: {},
    } as const;
    const pair = () => [
      proposed({ type: 'JobStageAdvanced', data: advanced }),
      proposed({ type: 'JobStageStarted', data: { ...work, worker: 'w1' } }),
    ];
    const events = [1, 2, 3, 4].flatMap(pair);
    await store.append('job-j1', events, 'none');
    await until(() => runs.at(-1) === events.length);
    expect(new Set(runs)).toEqual(new Set([0, events.length]));
  });

  it('run in the process that leads alone, from the take-over to the release', async () => {
    const [local, leading] = [new Recorder('local', true), new Recorder('leading')];
    const host = start([local, leading]);
    await until(() => local.calls.includes('run'));
    expect(leading.calls).toEqual(['caught up']);
    const lead = new AbortController();
    const led = host.lead(lead.signal);
    await until(() => leading.calls.includes('run'));
    expect(host.leads).toBe(true);
    lead.abort();
    await led;
    expect(host.leads).toBe(false);
    expect(leading.calls.slice(0, 3)).toEqual(['caught up', 'take over', 'run']);
    expect(leading.calls.at(-1)).toBe('release');
  });

  it('retry a failed run, and keep the others running', async () => {
    const [failing, sound] = [new Recorder('failing', true), new Recorder('sound', true)];
    let failures = 1;
    failing.run = async () => {
      if ((failures -= 1) >= 0) throw new Error('away');
      failing.calls.push('run');
    };
    const host = start([failing, sound]);
    await until(() => sound.calls.filter((call) => call === 'run').length > 3);
    expect(host.errorOf(failing)?.message).toBe('away');
    expect(host.errorOf(sound)).toBeNull();
    await until(() => failing.calls.includes('run'));
    expect(host.errorOf(failing)).toBeNull();
    expect(warnings).toEqual(['reactor failing: run failed; retrying']);
  });

  it('exclude a reactor whose fold fails, and save no snapshot of it', async () => {
    const [failing, sound] = [new Recorder('failing'), new Recorder('sound')];
    failing.apply = () => {
      throw new Error('bad event');
    };
    const saved: SaveOptions[] = [];
    const host = start([failing, sound], { save: async (options) => void saved.push(options) });
    await until(() => sound.calls.includes('caught up'));
    expect(host.errorOf(failing)?.message).toBe('bad event');
    expect(sound.applied.map(({ id }) => id)).toEqual(eventsOf(sound.eventTypes));
    stop.abort();
    await running;
    expect(saved).toEqual([]);
  });

  it('survive an unreadable event: only reactors that fold its type fail', async () => {
    const noticed: string[] = [];
    const noticing: Reactor = {
      name: 'noticing',
      eventTypes: [],
      noticedEventTypes: ['PolicyUpdated', 'SourceRegistered'],
      apply: () => false,
      notice: ({ id }) => noticed.push(id) > Infinity,
    };
    const [folding, sound] = [new Recorder('folding'), new Recorder('sound')];
    Object.assign(folding, { eventTypes: ['PolicyUpdated'] });
    const host = start([folding, sound, noticing]);
    await until(() => sound.calls.includes('caught up'));
    const unreadable = { changes: { staleness_budget_seconds: 'soon' } };
    const bad = store.record('policy-tenant-a', {
      ...proposed({ type: 'PolicyReset', data: {} }),
      type: 'PolicyUpdated',
      data: unreadable,
    });
    recordMixedHistory(store, HISTORY + 50, 2);
    const expected = eventsOf(sound.eventTypes);
    await until(() => sound.applied.length >= expected.length);
    expect(sound.applied.map(({ id }) => id)).toEqual(expected);
    await until(() => noticed.length > 1);
    expect(noticed[0]).toBe(bad.id);
    expect(host.errorOf(folding)?.message).toContain('PolicyUpdated');
    expect([host.errorOf(sound), host.errorOf(noticing), host.error]).toEqual([null, null, null]);
    expect(warnings).toEqual([expect.stringContaining('reactor folding: an event could not be')]);
  });

  it('let a reactor leave out the tenant of an unreadable event, and save no snapshot then', async () => {
    const saved: SaveOptions[] = [];
    const leaving = new Recorder('leaving');
    const left: string[] = [];
    Object.assign(leaving, {
      eventTypes: ['PolicyUpdated', 'PolicyReset'],
      unreadable: ({ metadata }: RecordedEvent) => void left.push(metadata.tenant_id),
    });
    const host = start([leaving], { save: async (options) => void saved.push(options) });
    await until(() => leaving.calls.includes('caught up'));
    const bad = store.record('policy-tenant-a', {
      ...proposed({ type: 'PolicyReset', data: {} }),
      type: 'PolicyUpdated',
      data: { changes: { staleness_budget_seconds: 'soon' } },
    });
    const next = store.record('policy-tenant-a', proposed({ type: 'PolicyReset', data: {} }));
    await until(() => leaving.applied.at(-1)?.id === next.id);
    expect(left).toEqual([bad.metadata.tenant_id]);
    expect(host.errorOf(leaving)).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('its tenant is left out until a restart')]);
    stop.abort();
    await running;
    expect(saved).toEqual([]);
  });

  it('save a snapshot when they stop, and apply nothing while it is read', async () => {
    const state: ReactorState = { version: 1, save: () => [], load: () => {}, clear: () => {} };
    const reactor = Object.assign(new Recorder('a'), { state });
    let place: unknown;
    const host = start([reactor], {
      async save({ begin, onLinesRead }) {
        place = begin();
        onLinesRead();
      },
    });
    await until(() => reactor.calls.includes('caught up'));
    stop.abort();
    await running;
    expect(place).toMatchObject({ position: host.position });
  });

  it('continue at the position of a snapshot', async () => {
    const at = 120;
    const event = store.events[at - 1];
    if (!event) throw new Error('no event');
    const { stream, id, position, revision } = event;
    const lastEvent = { stream, id, position, revision: String(revision) };
    const reactor = new Recorder('a');
    start([reactor], { restore: () => Promise.resolve({ position, lastEvent }) });
    await until(() => reactor.calls.includes('caught up'));
    const rest = store.events.slice(at).map((each) => each.id);
    expect(reactor.applied.map((each) => each.id)).toEqual(
      eventsOf(reactor.eventTypes).filter((each) => rest.includes(each)),
    );
  });
});
