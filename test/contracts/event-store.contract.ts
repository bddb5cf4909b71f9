import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Position, ProposedEvent, RecordedEvent } from '#contracts';
import {
  isCorruptedIdempotency,
  isInvalidEvent,
  isWrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
  type SubscribeOptions,
  type SubscriptionDelivery,
} from '#event-store';

import { freshStream, proposed, sampleMetadata, someEvents, TENANT_A, TENANT_B } from '../support/sample-events.js';

/** A store under test. `reopen` closes it and opens it again on the same data, where the adapter can. */
export interface StoreUnderTest {
  readonly store: EventStore;
  reopen?(): Promise<EventStore>;
}

/**
 * What every adapter of the port keeps. The suite assumes nothing about the log being empty: on a shared server it runs
 * beside what is there already.
 */
export function eventStoreContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`event store contract: ${name}`, () => {
    let underTest: StoreUnderTest;
    let store: EventStore;

    beforeAll(async () => {
      underTest = await open();
      store = underTest.store;
    });
    afterAll(async () => {
      await store.close();
    });

    describe('append', () => {
      it('counts revisions from 0 and returns the last one with its position', async () => {
        const stream = freshStream();
        const first = await store.append(stream, someEvents(2), 'none');
        const second = await store.append(stream, someEvents(1), first.revision);
        expect([first.revision, second.revision]).toEqual([1n, 2n]);
        expect(second.position > first.position).toBe(true);
        expect(await store.head()).toBe(second.position);
      });

      it.each<[string, ExpectedRevision]>([
        ['none', 'none'],
        ['an exact revision', 0n],
        ['a revision ahead of the stream', 7n],
      ])('refuses %s when the stream is elsewhere, and says where', async (_, expected) => {
        const stream = freshStream();
        await store.append(stream, someEvents(3), 'none');
        const error = await refusal(store.append(stream, someEvents(1), expected));
        expect(isWrongExpectedRevision(error)).toBe(true);
        expect(error).toMatchObject({ stream, expected, actual: 2n });
        expect(await revisions(store.read(stream))).toEqual([0n, 1n, 2n]);
      });

      it.each<ExpectedRevision>(['exists', 0n])('refuses %s on a stream without events', async (expected) => {
        const stream = freshStream();
        const error = await refusal(store.append(stream, someEvents(1), expected));
        expect(isWrongExpectedRevision(error)).toBe(true);
        expect(error).toMatchObject({ actual: 'none' });
      });

      it('takes "any" on a stream with and without events, and "exists" on one with', async () => {
        const stream = freshStream();
        await store.append(stream, someEvents(1), 'any');
        await store.append(stream, someEvents(1), 'any');
        await store.append(stream, someEvents(1), 'exists');
        expect(await revisions(store.read(stream))).toEqual([0n, 1n, 2n]);
      });

      it('lets exactly one of many with the same expectation win', async () => {
        const stream = freshStream();
        await store.append(stream, someEvents(1), 'none');
        const attempts = Array.from({ length: 20 }, () => store.append(stream, someEvents(2), 0n));
        const outcomes = await Promise.allSettled(attempts);
        const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(lost).toHaveLength(19);
        expect(lost.every((outcome) => isWrongExpectedRevision(outcome.reason))).toBe(true);
        expect(await revisions(store.read(stream))).toEqual([0n, 1n, 2n]);
      });

      it('is not disturbed by neighbours that conflict at the same moment', async () => {
        const taken = freshStream();
        await store.append(taken, someEvents(1), 'none');
        const streams = Array.from({ length: 20 }, () => freshStream());
        const outcomes = await Promise.allSettled(
          streams.flatMap((stream) => [
            store.append(taken, someEvents(1), 'none'),
            store.append(stream, someEvents(1), 'none'),
          ]),
        );
        expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(20);
        expect(await revisions(store.read(taken))).toEqual([0n]);
      });

      it('stores all events of an append or none', async () => {
        const stream = freshStream();
        const [good] = someEvents(1);
        const bad = { ...someEvents(1)[0], data: { source_id: 1 } } as unknown as ProposedEvent;
        expect(isInvalidEvent(await refusal(store.append(stream, [good as ProposedEvent, bad], 'none')))).toBe(true);
        expect(await revisions(store.read(stream))).toEqual([]);
      });

      it('refuses undeclared types, old schema versions, ids that are none, and appends without events', async () => {
        const stream = freshStream();
        const [event] = someEvents(1);
        const base = event as ProposedEvent;
        for (const wrong of [
          { ...base, type: 'NobodyDeclaredThis' },
          { ...base, id: 'one' },
          { ...base, metadata: sampleMetadata(base.type, { schema_version: 99 }) },
        ]) {
          expect(isInvalidEvent(await refusal(store.append(stream, [wrong], 'none')))).toBe(true);
        }
        expect(isInvalidEvent(await refusal(store.append(stream, [base, base], 'none')))).toBe(true);
        expect(await refusal(store.append(stream, [], 'none'))).toBeInstanceOf(RangeError);
        expect(await refusal(store.append('nodash' as never, [base], 'none'))).toBeInstanceOf(RangeError);
        expect(await refusal(store.append(stream, [base], -1n))).toBeInstanceOf(RangeError);
        expect(await revisions(store.read(stream))).toEqual([]);
      });
    });

    describe('a repeated append', () => {
      it('succeeds with the first result when its ids stand right after "none"', async () => {
        const stream = freshStream();
        const events = someEvents(2);
        const first = await store.append(stream, events, 'none');
        await store.append(stream, someEvents(3), first.revision);
        expect(await store.append(stream, events, 'none')).toEqual(first);
        expect(await revisions(store.read(stream))).toHaveLength(5);
      });

      it('succeeds with the first result when its ids stand right after the exact revision', async () => {
        const stream = freshStream();
        await store.append(stream, someEvents(1), 'none');
        const events = someEvents(2);
        const first = await store.append(stream, events, 0n);
        await store.append(stream, someEvents(1), first.revision);
        expect(await store.append(stream, events, 0n)).toEqual(first);
      });

      it('succeeds when both arrive at the same moment', async () => {
        const stream = freshStream();
        const events = someEvents(2);
        const results = await Promise.all([1, 2, 3].map(() => store.append(stream, events, 'none')));
        expect(new Set(results.map((result) => result.position)).size).toBe(1);
        expect(await revisions(store.read(stream))).toEqual([0n, 1n]);
      });

      it('is recognised across a restart, where the adapter can restart', async () => {
        const stream = freshStream();
        const events = someEvents(2);
        const first = await store.append(stream, events, 'none');
        if (underTest.reopen) store = await underTest.reopen();
        expect(await store.append(stream, events, 'none')).toEqual(first);
      });

      it.each<ExpectedRevision>(['any', 'exists'])('is recognised with "%s" while it is fresh', async (expected) => {
        const stream = freshStream();
        await store.append(stream, someEvents(1), 'none');
        const events = someEvents(2);
        const first = await store.append(stream, events, expected);
        expect(await store.append(stream, events, expected)).toEqual(first);
        expect(await revisions(store.read(stream))).toHaveLength(3);
      });

      it('is a conflict when its ids stand elsewhere in the stream', async () => {
        const stream = freshStream();
        const events = someEvents(1);
        await store.append(stream, someEvents(1), 'none');
        await store.append(stream, events, 0n);
        expect(isWrongExpectedRevision(await refusal(store.append(stream, events, 'none')))).toBe(true);
      });

      it('is corrupted when it goes on differently, or further than what is stored', async () => {
        const stream = freshStream();
        const events = someEvents(2);
        await store.append(stream, events, 'none');
        const other = [events[0] as ProposedEvent, ...someEvents(1)];
        const longer = [...events, ...someEvents(1)];
        expect(isCorruptedIdempotency(await refusal(store.append(stream, other, 'none')))).toBe(true);
        expect(isCorruptedIdempotency(await refusal(store.append(stream, longer, 'none')))).toBe(true);
        expect(await revisions(store.read(stream))).toEqual([0n, 1n]);
      });

      it('is a new append in another stream', async () => {
        const events = someEvents(1);
        const [one, other] = [freshStream(), freshStream()];
        await store.append(one, events, 'none');
        await store.append(other, events, 'none');
        expect(await revisions(store.read(other))).toEqual([0n]);
      });
    });

    describe('read', () => {
      it('yields nothing of a stream that does not exist, either way', async () => {
        const stream = freshStream();
        expect(await revisions(store.read(stream))).toEqual([]);
        expect(await revisions(store.read(stream, { backwards: true }))).toEqual([]);
      });

      it('goes both ways, from any revision, up to any limit', async () => {
        const stream = freshStream();
        await store.append(stream, someEvents(5), 'none');
        expect(await revisions(store.read(stream))).toEqual([0n, 1n, 2n, 3n, 4n]);
        expect(await revisions(store.read(stream, { from: 3n }))).toEqual([3n, 4n]);
        expect(await revisions(store.read(stream, { from: 1n, limit: 2 }))).toEqual([1n, 2n]);
        expect(await revisions(store.read(stream, { from: 9n }))).toEqual([]);
        expect(await revisions(store.read(stream, { limit: 0 }))).toEqual([]);
        expect(await revisions(store.read(stream, { backwards: true }))).toEqual([4n, 3n, 2n, 1n, 0n]);
        expect(await revisions(store.read(stream, { backwards: true, limit: 1 }))).toEqual([4n]);
        expect(await revisions(store.read(stream, { backwards: true, from: 2n, limit: 2 }))).toEqual([2n, 1n]);
      });

      it('goes through long streams', async () => {
        const stream = freshStream();
        for (let from = -1n; from < 1_199n; from += 400n) {
          await store.append(stream, someEvents(400), from < 0n ? 'none' : from);
        }
        const forwards = await revisions(store.read(stream));
        expect(forwards).toEqual(Array.from({ length: 1_200 }, (_, index) => BigInt(index)));
        expect(await revisions(store.read(stream, { backwards: true }))).toEqual(forwards.toReversed());
        expect(await revisions(store.read(stream, { backwards: true, limit: 700 }))).toHaveLength(700);
      });

      it('gives back data, metadata, ids and dates as they were written', async () => {
        const stream = freshStream('source');
        const event = proposed(
          {
            type: 'SourceRegistered',
            data: {
              source_id: 'ünïcode "quoted" \n\u0000\u2028 \ud83d\ude00',
              name: 'x'.repeat(20_000),
              definition: repository,
            },
          },
          {
            tenant_id: TENANT_B,
            actor: { type: 'user', id: 'u1', name: 'Zoë' },
            http: { request_id: 'r', method: 'POST', path: '/sources', ip: '::1' },
            idempotency: { key_hash: 'a', body_hash: 'b' },
          },
        );
        const before = Date.now();
        const { position } = await store.append(stream, [event], 'none');
        const [recorded] = await collect(store.read(stream));
        expect(recorded).toEqual({
          ...event,
          stream,
          revision: 0n,
          position,
          recordedAt: expect.any(Date) as unknown,
        });
        expect(recorded?.recordedAt.getTime()).toBeGreaterThanOrEqual(before - 1_000);
        expect(recorded?.recordedAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
      });

      it('keeps streams and tenants apart', async () => {
        const [mine, theirs] = [freshStream(), freshStream()];
        const event = { type: 'SourceRemoved', data: { source_id: 's' } } as const;
        await store.append(mine, [proposed(event, { tenant_id: TENANT_A })], 'none');
        await store.append(theirs, [proposed(event, { tenant_id: TENANT_B })], 'none');
        const tenants = (await collect(store.read(mine))).map((recorded) => recorded.metadata.tenant_id);
        expect(tenants).toEqual([TENANT_A]);
      });
    });

    describe('subscribe', () => {
      it('delivers history from a position, says "caught-up" once, and goes on live', async () => {
        const stream = freshStream();
        const { position } = await store.append(stream, someEvents(2), 'none');
        await store.append(stream, someEvents(2), 1n);
        const following = follow(store, { after: position });
        await following.until((seen) => kinds(seen).includes('caught-up'));
        expect(streamRevisions(following.seen, stream)).toEqual([2n, 3n]);
        await store.append(stream, someEvents(2), 3n);
        await following.until((seen) => streamRevisions(seen, stream).length === 4);
        await following.stop();
        expect(streamRevisions(following.seen, stream)).toEqual([2n, 3n, 4n, 5n]);
        expect(kinds(following.seen).filter((kind) => kind === 'caught-up')).toHaveLength(1);
      });

      it('delivers the whole log in position order from the start', async () => {
        const stream = freshStream();
        const { position } = await store.append(stream, someEvents(3), 'none');
        const following = follow(store, { after: 'start' });
        await following.until((seen) => positions(seen).includes(position));
        await following.stop();
        const order = positions(following.seen);
        expect(order).toEqual(order.toSorted());
        expect(new Set(order).size).toBe(order.length);
        expect(streamRevisions(following.seen, stream)).toEqual([0n, 1n, 2n]);
      });

      it('delivers every event once and in order while many append at the same time', async () => {
        const start = await headOf(store);
        const following = follow(store, { after: start });
        const streams = Array.from({ length: 25 }, () => freshStream());
        await Promise.all(
          streams.map(async (stream) => {
            let expected: ExpectedRevision = 'none';
            for (let round = 0; round < 8; round += 1) {
              expected = (await store.append(stream, someEvents(round === 3 ? 4 : 1), expected)).revision;
            }
          }),
        );
        const mine = (seen: readonly SubscriptionDelivery[]) =>
          events(seen).filter((event) => streams.includes(event.stream));
        await following.until((seen) => mine(seen).length === 25 * 11);
        await following.stop();
        expect(positions(following.seen)).toEqual(positions(following.seen).toSorted());
        for (const stream of streams) {
          expect(streamRevisions(following.seen, stream)).toEqual(Array.from({ length: 11 }, (_, i) => BigInt(i)));
        }
      });

      it('leaves out what the filter leaves out, by type and by category', async () => {
        const start = await headOf(store);
        const [source, job] = [freshStream('source'), freshStream('job')];
        await store.append(source, someEvents(2), 'none');
        await store.append(job, someEvents(2, 'JobCancelled'), 'none');
        await store.append(job, someEvents(1), 1n);
        const through = async (filter: SubscribeOptions['filter']) => {
          const following = follow(store, { after: start, ...(filter && { filter }) });
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

      it('tells how far it came through events that the filter leaves out', async () => {
        const start = await headOf(store);
        const stream = freshStream('source');
        for (let from = -1n; from < 2_499n; from += 500n) {
          await store.append(stream, someEvents(500), from < 0n ? 'none' : from);
        }
        const last = await store.append(freshStream('job'), someEvents(1, 'JobCancelled'), 'none');
        await store.append(freshStream('source'), someEvents(1), 'none');
        const filter = { types: ['JobCancelled'] };
        const following = follow(store, { after: start, filter });
        await following.until((seen) => kinds(seen).includes('caught-up'));
        await following.stop();
        const order = following.seen.flatMap((delivery) =>
          delivery.kind === 'event' ? [delivery.event.position] : 'position' in delivery ? [delivery.position] : [],
        );
        expect(order).toEqual(order.toSorted());
        expect(kinds(following.seen)[0]).toBe('checkpoint');
        expect(kinds(following.seen).slice(-2)).toEqual(['checkpoint', 'caught-up']);
        expect(positions(following.seen)).toEqual([last.position]);

        const again = follow(store, { after: order.at(-1) as Position, filter });
        await again.until((seen) => kinds(seen).includes('caught-up'));
        await again.stop();
        expect(events(again.seen)).toEqual([]);
      });

      it('ends without an error when the signal aborts: before, while waiting, and between two events', async () => {
        const aborted = store.subscribe({ after: 'start', signal: AbortSignal.abort() });
        expect(await collect(aborted)).toEqual([]);

        const waiting = follow(store, { after: await headOf(store) });
        await waiting.until((seen) => kinds(seen).includes('caught-up'));
        await waiting.stop();

        await store.append(freshStream(), someEvents(3), 'none');
        const abort = new AbortController();
        let seen = 0;
        for await (const delivery of store.subscribe({ after: 'start', signal: abort.signal })) {
          expect(delivery).toBeDefined();
          seen += 1;
          abort.abort();
        }
        expect(seen).toBe(1);
      });

      it('does not hold up appends for a reader that does not read', async () => {
        const abort = new AbortController();
        const slow = store.subscribe({ after: 'start', signal: abort.signal })[Symbol.asyncIterator]();
        await slow.next();
        const stream = freshStream();
        await store.append(stream, someEvents(500), 'none');
        await store.append(stream, someEvents(500), 499n);
        expect(await revisions(store.read(stream))).toHaveLength(1_000);
        abort.abort();
        await slow.return?.();
      });
    });
  });
}

const repository = {
  source_type: 'repo' as const,
  url: 'https://example.org/a.git',
  include_patterns: [],
  exclude_patterns: ['**/*.min.js'],
};

interface Following {
  readonly seen: SubscriptionDelivery[];
  until(done: (seen: readonly SubscriptionDelivery[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Follows the log in the background; `until` fails when what it waits for does not come within 10 s. */
function follow(store: EventStore, options: Omit<SubscribeOptions, 'signal'>): Following {
  const abort = new AbortController();
  const seen: SubscriptionDelivery[] = [];
  let check = (): void => undefined;
  const running = (async () => {
    for await (const delivery of store.subscribe({ ...options, signal: abort.signal })) {
      seen.push(delivery);
      check();
    }
  })();
  return {
    seen,
    until: (done) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`waited in vain; saw ${seen.length} deliveries`)), 10_000);
        check = () => {
          if (!done(seen)) return;
          clearTimeout(timer);
          resolve();
        };
        running.catch(reject);
        check();
      }),
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}

function events(seen: readonly SubscriptionDelivery[]): RecordedEvent[] {
  return seen.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event] : []));
}

function positions(seen: readonly SubscriptionDelivery[]): Position[] {
  return events(seen).map((event) => event.position);
}

function kinds(seen: readonly SubscriptionDelivery[]): string[] {
  return seen.map((delivery) => delivery.kind);
}

function streamRevisions(seen: readonly SubscriptionDelivery[], stream: string): bigint[] {
  return events(seen)
    .filter((event) => event.stream === stream)
    .map((event) => event.revision);
}

async function headOf(store: EventStore): Promise<Position | 'start'> {
  return (await store.head()) ?? 'start';
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function revisions(items: AsyncIterable<RecordedEvent>): Promise<bigint[]> {
  return (await collect(items)).map((event) => event.revision);
}

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('expected a refusal, but it was accepted');
    },
    (error: unknown) => error,
  );
}
