import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type CloudEvent, SYSTEM_TENANT } from '#contracts';
import { PositionAheadError } from '#event-store';
import { silentLogger, sleep, withTimeout } from '#platform';
import type { EventFeed } from '#queue';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed, someEvents, TENANT_A } from '#test/support/sample-events';

import { createFeedRelay, type FeedRelay } from './feed-relay.js';

describe('the feed relay', () => {
  let store: MemoryEventStore;
  let published: CloudEvent[];
  let checkpoint: string | null;
  /** The steps in the order in which they happened. */
  let steps: string[];
  let failures: { publish: number; load: number; save: number };
  let relay: FeedRelay | undefined;

  const feed: Omit<EventFeed, 'close'> = {
    publish: async (events) => {
      if (failures.publish-- > 0) throw new Error('no broker');
      published.push(...events);
      steps.push(`published ${events.length}`);
    },
    loadCheckpoint: async () => {
      if (failures.load-- > 0) throw new Error('no broker');
      return checkpoint;
    },
    saveCheckpoint: async (value) => {
      if (failures.save-- > 0) throw new Error('no broker');
      checkpoint = value;
      steps.push('saved');
    },
  };

  function start(): FeedRelay {
    relay = createFeedRelay({ eventStore: store, feed, logger: silentLogger, maxBatch: 10 });
    relay.start();
    return relay;
  }

  function record(count: number): string[] {
    return someEvents(count).map((event) => store.record('source-1', event).id);
  }

  const ids = () => published.map(({ id }) => id);

  beforeEach(() => {
    store = new MemoryEventStore();
    published = [];
    checkpoint = null;
    steps = [];
    failures = { publish: 0, load: 0, save: 0 };
  });
  afterEach(() => relay?.stop());

  it('leaves out what concerns no tenant, and goes on past it', async () => {
    const data = { log_id: '0190b5e4-7b1d-7000-8000-000000000001' };
    store.record(
      'log-identity',
      proposed({ type: 'LogCreated', data }, { tenant_id: SYSTEM_TENANT }),
    );
    const history = record(3);
    start();
    await until(() => checkpoint !== null && published.length === 3);
    expect(ids()).toEqual(history);
  });

  it('publishes history and what follows, in the order of the log and under its tenant', async () => {
    const history = record(25);
    start();
    await until(() => published.length === 25);
    const later = record(3);
    await until(() => published.length === 28);
    expect(ids()).toEqual([...history, ...later]);
    expect(new Set(published.map(({ tenantid }) => tenantid))).toEqual(new Set([TENANT_A]));
  });

  it('saves its checkpoint after the feed has acknowledged', async () => {
    record(12);
    start();
    await until(() => checkpoint === store.events.at(-1)?.position);
    expect(published).toHaveLength(12);
    expect(steps.length).toBeGreaterThan(1);
    for (const [index, step] of steps.entries())
      expect(step).toMatch(index % 2 === 0 ? /^published/ : /^saved$/);
  });

  it('goes on where another relay stopped', async () => {
    const [, second, third] = record(3);
    checkpoint = store.events[0]?.position ?? null;
    start();
    await until(() => published.length === 2);
    expect(ids()).toEqual([second, third]);
  });

  it('leaves nothing out when the feed is away for a while', async () => {
    const history = record(15);
    failures.publish = 3;
    start();
    await until(() => published.length === 15);
    expect(ids()).toEqual(history);
  });

  it('repeats, and leaves nothing out, when the checkpoint was not saved', async () => {
    const history = record(5);
    failures.save = 1;
    start();
    await until(() => checkpoint === store.events.at(-1)?.position);
    const repeated = ids().length - history.length;
    expect(repeated).toBeGreaterThan(0);
    expect(ids()).toEqual([...history.slice(0, repeated), ...history]);
  });

  it('reports its position and its error', async () => {
    failures.publish = Infinity;
    record(1);
    const running = start();
    await until(() => running.health().state === 'retrying');
    expect(running.health()).toMatchObject({ name: 'feed', position: null, error: 'no broker' });
    failures.publish = 0;
    await until(() => running.health().state === 'live');
    expect(running.health()).toEqual({
      name: 'feed',
      position: store.events[0]?.position,
      lag: 0,
      state: 'live',
    });
    await running.stop();
    expect(running.health().state).toBe('stopped');
  });

  it('starts while the feed is away, says so once, and is well when it is back with nothing left to publish', async () => {
    record(1);
    checkpoint = store.events[0]?.position ?? null;
    failures.load = 4;
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_: object, line: string) => void warnings.push(line) };
    relay = createFeedRelay({ eventStore: store, feed, logger });
    relay.start();
    await until(() => failures.load === 1);
    expect(relay.health()).toMatchObject({ state: 'retrying', error: 'no broker' });
    await until(() => relay?.health().state === 'live');
    expect(relay.health()).toEqual({ name: 'feed', position: checkpoint, lag: 0, state: 'live' });
    expect([warnings, published]).toEqual([['The event feed failed and is tried again'], []]);
  });

  it('goes on at the end of a log that was put back to an older state', async () => {
    const [, , third] = record(3);
    const head = store.events[1]?.position ?? null;
    const subscribe = store.subscribe.bind(store);
    store.subscribe = (options) => {
      if (options.after === '9') throw new PositionAheadError(options.after, head);
      return subscribe(options);
    };
    checkpoint = '9';
    start();
    await until(() => published.length === 1);
    expect(ids()).toEqual([third]);
  });
});

async function until(condition: () => boolean): Promise<void> {
  const wait = async () => {
    while (!condition()) await sleep(5);
  };
  await withTimeout(wait(), 5_000, 'The condition did not come true within 5 s');
}
