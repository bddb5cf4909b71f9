import { describe, expect, it } from '@jest/globals';

import type { Position, RecordedEvent } from '#contracts';
import { type EventStore, PositionAheadError, type SubscriptionDelivery } from '#event-store';
import { silentLogger, sleep, systemClock } from '#platform';

import { InMemoryProjection } from './in-memory-projection.js';

const at = (position: number) => String(position).padStart(20, '0') as Position;
const event = (position: number): SubscriptionDelivery => ({
  kind: 'event',
  event: { position: at(position) } as RecordedEvent,
});

/** A store whose subscriptions deliver a script each, then break or stay silent until the end. */
function scripted(scripts: (SubscriptionDelivery[] | Error)[]) {
  const asked: (Position | 'start')[] = [];
  const store = {
    async *subscribe({ after, signal }: Parameters<EventStore['subscribe']>[0]) {
      asked.push(after);
      const script = scripts.shift();
      if (script instanceof Error) throw script;
      yield* script ?? [];
      if (scripts.length > 0) throw new Error('The feed broke');
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  } as unknown as EventStore;
  return { store, asked };
}

describe('a projection in memory', () => {
  it('loads once, goes on from there, and takes a broken feed up again where it was', async () => {
    const { store, asked } = scripted([
      [event(6), { kind: 'caught-up' }, { kind: 'checkpoint', position: at(8) }],
      new Error('away'),
      [event(9)],
    ]);
    const applied: Position[] = [];
    let loads = 0;
    const projection = new InMemoryProjection({
      name: 'test',
      types: [],
      load: async () => ((loads += 1), at(5)),
      apply: ({ position }) => void applied.push(position),
      store,
      clock: systemClock,
      logger: silentLogger,
    });
    expect(projection.ready).toBe(false);
    projection.start();
    expect(await projection.waitFor(at(9), 2_000)).toBe(true);
    expect([loads, asked, applied]).toEqual([1, [at(5), at(8), at(8)], [at(6), at(9)]]);
    expect(projection.ready).toBe(true);
    expect(await projection.waitFor(at(10), 20)).toBe(false);
    await projection.stop();
  });

  it('loads again when it is ahead of the log, as after the restore of an older log', async () => {
    const ahead = new PositionAheadError(at(5), at(2));
    const { store, asked } = scripted([ahead, ahead, [event(2), { kind: 'caught-up' }]]);
    const reported: (Position | 'start')[] = [at(5), at(5), 'start'];
    const projection = new InMemoryProjection({
      name: 'test',
      types: [],
      load: async () => reported.shift() ?? 'start',
      apply: () => {},
      store,
      clock: systemClock,
      logger: silentLogger,
    });
    projection.start();
    while (!projection.ready) await sleep(10);
    expect([asked, projection.position]).toEqual([[at(5), at(5), 'start'], at(2)]);
    await projection.stop();
  });

  it('says in the log from where it asked for what it did not get', async () => {
    const lost = new Error('away');
    const { store } = scripted([[event(6)], lost, [event(9)]]);
    const reported: object[] = [];
    const projection = new InMemoryProjection({
      name: 'test',
      types: [],
      load: async () => at(5),
      apply: () => {},
      store,
      clock: systemClock,
      logger: { ...silentLogger, warn: (fields: object) => void reported.push(fields) },
    });
    projection.start();
    expect(await projection.waitFor(at(9), 2_000)).toBe(true);
    await projection.stop();
    expect(reported[1]).toMatchObject({ err: lost, follower: 'test', after: at(6) });
  });

  it('tries to load again until it can', async () => {
    const { store } = scripted([[{ kind: 'caught-up' }]]);
    let tries = 0;
    const projection = new InMemoryProjection({
      name: 'test',
      types: [],
      load: async () => {
        tries += 1;
        if (tries < 3) throw new Error('away');
        return at(1);
      },
      apply: () => {},
      store,
      clock: systemClock,
      logger: silentLogger,
    });
    projection.start();
    expect(await projection.waitFor(at(1), 2_000)).toBe(true);
    expect(tries).toBe(3);
    await projection.stop();
  });
});
