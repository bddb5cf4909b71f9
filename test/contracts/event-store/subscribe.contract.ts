import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import type { Position } from '#contracts';
import type { ExpectedRevision, SubscribeOptions, SubscriptionDelivery } from '#event-store';
import { seeded } from '#platform';

import { freshStream, someEvents } from '../../support/sample-events.js';
import {
  collect,
  events,
  follow,
  headOf,
  kinds,
  positions,
  revisions,
  streamRevisions,
} from './observe.js';
import type { StoreContext } from './store-context.js';

/**
 * Subscriptions that are met by an event about when their history ends, and for how long at most it
 * is held back.
 */
const ROUNDS = 30;
const LONGEST_PAUSE_MS = 25;

/** Catch-up subscriptions: history, live, filters, checkpoints and their end. */
export function subscribeContract(context: StoreContext): void {
  describe('subscribe', () => {
    it('delivers history from a position, says "caught-up" once, and goes on live', async () => {
      const stream = freshStream();
      const { position } = await context.store.append(stream, someEvents(2), 'none');
      await context.store.append(stream, someEvents(2), 1n);
      const following = follow(context.store, { after: position });
      await following.until((seen) => kinds(seen).includes('caught-up'));
      expect(streamRevisions(following.seen, stream)).toEqual([2n, 3n]);
      await context.store.append(stream, someEvents(2), 3n);
      await following.until((seen) => streamRevisions(seen, stream).length === 4);
      await following.stop();
      expect(streamRevisions(following.seen, stream)).toEqual([2n, 3n, 4n, 5n]);
      expect(kinds(following.seen).filter((kind) => kind === 'caught-up')).toHaveLength(1);
    });

    it('delivers the whole log in position order from the start', async () => {
      const stream = freshStream();
      const { position } = await context.store.append(stream, someEvents(3), 'none');
      const following = follow(context.store, { after: 'start' });
      await following.until((seen) => positions(seen).includes(position));
      await following.stop();
      const order = positions(following.seen);
      expect(order).toEqual(order.toSorted());
      expect(new Set(order).size).toBe(order.length);
      expect(streamRevisions(following.seen, stream)).toEqual([0n, 1n, 2n]);
    });

    it('delivers every event once and in order while many append at the same time', async () => {
      const start = await headOf(context.store);
      const following = follow(context.store, { after: start });
      const streams = Array.from({ length: 25 }, () => freshStream());
      await Promise.all(
        streams.map(async (stream) => {
          let expected: ExpectedRevision = 'none';
          for (let round = 0; round < 8; round += 1) {
            expected = (
              await context.store.append(stream, someEvents(round === 3 ? 4 : 1), expected)
            ).revision;
          }
        }),
      );
      const mine = (seen: readonly SubscriptionDelivery[]) =>
        events(seen).filter((event) => streams.includes(event.stream));
      await following.until((seen) => mine(seen).length === 25 * 11);
      await following.stop();
      expect(positions(following.seen)).toEqual(positions(following.seen).toSorted());
      for (const stream of streams) {
        expect(streamRevisions(following.seen, stream)).toEqual(
          Array.from({ length: 11 }, (_, i) => BigInt(i)),
        );
      }
    });

    it('leaves out what the filter leaves out, by type and by category', async () => {
      const start = await headOf(context.store);
      const [source, job] = [freshStream('source'), freshStream('job')];
      await context.store.append(source, someEvents(2), 'none');
      await context.store.append(job, someEvents(2, 'JobCancelled'), 'none');
      await context.store.append(job, someEvents(1), 1n);
      const through = async (filter: SubscribeOptions['filter']) => {
        const following = follow(context.store, { after: start, ...(filter && { filter }) });
        await following.until((seen) => kinds(seen).includes('caught-up'));
        await following.stop();
        return events(following.seen).map((event) => [event.stream.split('-')[0], event.type]);
      };
      expect(await through({ types: ['JobCancelled'] })).toEqual([
        ['job', 'JobCancelled'],
        ['job', 'JobCancelled'],
      ]);
      expect(await through({ categories: ['source'] })).toHaveLength(2);
      expect(await through({ categories: ['job', 'source'] })).toHaveLength(5);
      expect(await through({ types: ['SourceSyncRequested'], categories: ['job'] })).toEqual([
        ['job', 'SourceSyncRequested'],
      ]);
      expect(await through({ types: ['JobCancelled', 'SourceSyncRequested'] })).toHaveLength(5);
      expect(await through({ types: ['PolicyReset'] })).toEqual([]);
    });

    it('reports its progress through events that the filter leaves out', async () => {
      const start = await headOf(context.store);
      const stream = freshStream('source');
      for (let from = -1n; from < 2_499n; from += 500n) {
        await context.store.append(stream, someEvents(500), from < 0n ? 'none' : from);
      }
      const last = await context.store.append(
        freshStream('job'),
        someEvents(1, 'JobCancelled'),
        'none',
      );
      await context.store.append(freshStream('source'), someEvents(1), 'none');
      const filter = { types: ['JobCancelled'] };
      const following = follow(context.store, { after: start, filter });
      await following.until((seen) => kinds(seen).includes('caught-up'));
      await following.stop();
      const order = following.seen.flatMap((delivery) =>
        delivery.kind === 'event'
          ? [delivery.event.position]
          : 'position' in delivery
            ? [delivery.position]
            : [],
      );
      expect(order).toEqual(order.toSorted());
      expect(kinds(following.seen)[0]).toBe('checkpoint');
      expect(kinds(following.seen).at(-1)).toBe('caught-up');
      expect(positions(following.seen)).toEqual([last.position]);

      const again = follow(context.store, { after: order.at(-1) as Position, filter });
      await again.until((seen) => kinds(seen).includes('caught-up'));
      await again.stop();
      expect(events(again.seen)).toEqual([]);
    });

    it('never reports a position at or before which events may still come, however close to it the history ends', async () => {
      const random = seeded(Number(process.env['FOOTNOTE_TEST_SEED'] ?? '18'));
      for (let round = 0; round < ROUNDS; round += 1) {
        const stream = freshStream(`round${randomUUID().slice(0, 8)}`);
        const filter = { categories: [stream.slice(0, stream.indexOf('-'))] };
        const following = follow(context.store, { after: 'start', filter });
        await delay(random() * LONGEST_PAUSE_MS);
        const { position } = await context.store.append(stream, someEvents(1), 'none');
        await following.until((seen) => kinds(seen).includes('event'));
        await following.stop();
        const at = kinds(following.seen).indexOf('event');
        const reported = following.seen
          .slice(0, at)
          .flatMap((delivery) => (delivery.kind === 'checkpoint' ? [delivery.position] : []));
        expect([
          round,
          positions(following.seen),
          reported.filter((place) => place >= position),
        ]).toEqual([round, [position], []]);
      }
    });

    it('ends without an error when the signal aborts: before, while waiting, and between two events', async () => {
      const aborted = context.store.subscribe({ after: 'start', signal: AbortSignal.abort() });
      expect(await collect(aborted)).toEqual([]);

      const waiting = follow(context.store, { after: await headOf(context.store) });
      await waiting.until((seen) => kinds(seen).includes('caught-up'));
      await waiting.stop();

      await context.store.append(freshStream(), someEvents(3), 'none');
      const abort = new AbortController();
      let seen = 0;
      for await (const delivery of context.store.subscribe({
        after: 'start',
        signal: abort.signal,
      })) {
        expect(delivery).toBeDefined();
        seen += 1;
        abort.abort();
      }
      expect(seen).toBe(1);
    });

    it('does not hold up appends for a reader that does not read', async () => {
      const abort = new AbortController();
      const events = context.store.subscribe({ after: 'start', signal: abort.signal });
      const slow = events[Symbol.asyncIterator]();
      await slow.next();
      const stream = freshStream();
      await context.store.append(stream, someEvents(500), 'none');
      await context.store.append(stream, someEvents(500), 499n);
      expect(await revisions(context.store.read(stream))).toHaveLength(1_000);
      abort.abort();
      await slow.return?.();
    });
  });
}
