import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';

import type { Position } from '#contracts';
import { type EventStore, inOrder } from '#event-store';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { seeded, silentLogger } from '#platform';
import { EventStoreDbServer, type TestServerOptions } from '#test/support/eventstoredb/server';
import { freshStream, someEvents } from '#test/support/sample-events';

const ROUNDS = 12;
const MAX_HISTORY_END_MS = 120;
/** Events that the server considers together. */
const PAGE = 500;

/**
 * A server reports the end of a history late, and an event arrives before that. A reader that
 * stores each reported position, and is killed at any of them, must get the event when it resumes
 * there.
 */
describe.each(['up-to-24.10.4', 'from-24.10.5'] as const)(
  'a history that ends late, on a server %s',
  (checkpoints) => {
    let server: EventStoreDbServer | undefined;
    let store: EventStore | undefined;
    afterEach(async () => {
      await store?.close();
      server?.stop();
    });

    const open = async (options: TestServerOptions): Promise<EventStore> => {
      server = await EventStoreDbServer.start({ checkpoints, ...options });
      store = await openEventStoreDb({ url: server.url, logger: silentLogger });
      return store;
    };

    it('loses no event for a reader that is killed at any stored position', async () => {
      const random = seeded(18);
      for (let round = 0; round < ROUNDS; round += 1) {
        const fresh = await open({ endOfHistoryDelay: () => random() * MAX_HISTORY_END_MS });
        const stream = freshStream();
        const reader = readUntilKilled(fresh);
        await delay(random() * MAX_HISTORY_END_MS);
        const { position } = await fresh.append(stream, someEvents(1), 'none');
        const { places, got } = await reader;
        expect(got).toEqual([position]);
        for (const place of places)
          expect([round, await firstAfter(fresh, place)]).toEqual([round, position]);
        await fresh.close();
        server?.stop();
      }
    });

    it('loses no event if its last page is exactly full and the event comes at the reported position', async () => {
      for (let others = PAGE - 4; others <= PAGE + 1; others += 1) {
        const fresh = await open({ endOfHistoryDelay: 60 });
        await fresh.append(freshStream('job'), someEvents(others - 300, 'JobCancelled'), 'none');
        await fresh.append(freshStream('job'), someEvents(300, 'JobCancelled'), 'none');
        const reader = readUntilKilled(fresh);
        await delay(30);
        const { position } = await fresh.append(freshStream(), someEvents(1), 'none');
        const { places, got } = await reader;
        expect([others, got]).toEqual([others, [position]]);
        for (const place of places)
          expect([others, await firstAfter(fresh, place)]).toEqual([others, position]);
        await fresh.close();
        server?.stop();
      }
    });

    it('continues to report its progress while no event passes', async () => {
      const fresh = await open({});
      const abort = new AbortController();
      const places: Position[] = [];
      const filter = { types: ['PolicyReset'] };
      const following = (async () => {
        for await (const delivery of fresh.subscribe({
          after: 'start',
          filter,
          signal: abort.signal,
        })) {
          if (delivery.kind === 'checkpoint') places.push(delivery.position);
        }
      })();
      const appended: Position[] = [];
      while (appended.length < 40) {
        appended.push(
          (await fresh.append(freshStream('job'), someEvents(100, 'JobCancelled'), 'none'))
            .position,
        );
        await delay(5);
      }
      for (let wait = 0; wait < 100 && (places.at(-1) ?? '') < (appended[9] as Position); wait += 1)
        await delay(20);
      abort.abort();
      await following;
      expect(places).toEqual([...new Set(places)].sort());
      expect((places.at(-1) ?? '') >= (appended[9] as Position)).toBe(
        checkpoints === 'from-24.10.5',
      );
    });

    it('reports the newest event from before it began, so that a restart need not scan the log again', async () => {
      const fresh = await open({});
      await fresh.append(freshStream(), someEvents(3), 'none');
      const head = await fresh.head();
      const abort = new AbortController();
      const deliveries: unknown[] = [];
      for await (const delivery of fresh.subscribe({
        after: 'start',
        filter: { types: ['PolicyReset'] },
        signal: abort.signal,
      })) {
        deliveries.push(delivery);
        if (delivery.kind === 'caught-up') abort.abort();
      }
      expect(deliveries.at(-2)).toEqual({ kind: 'checkpoint', position: head });
    });
  },
);

/** Every position reported before the first event, and the event. */
async function readUntilKilled(
  store: EventStore,
): Promise<{ places: (Position | 'start')[]; got: Position[] }> {
  const places: (Position | 'start')[] = ['start'];
  const signal = AbortSignal.timeout(10_000);
  const filter = { types: ['SourceSyncRequested'] };
  for await (const delivery of inOrder(
    store.subscribe({ after: 'start', filter, signal }),
    'start',
  )) {
    if (delivery.kind === 'event') return { places, got: [delivery.event.position] };
    if (delivery.kind === 'checkpoint') places.push(delivery.position);
  }
  return { places, got: [] };
}

async function firstAfter(store: EventStore, after: Position | 'start'): Promise<Position | null> {
  const signal = AbortSignal.timeout(2_000);
  for await (const delivery of store.subscribe({
    after,
    filter: { types: ['SourceSyncRequested'] },
    signal,
  })) {
    if (delivery.kind === 'event') return delivery.event.position;
  }
  return null;
}
