import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';

import { isFootnoteError, type Position, type ProposedEvent, type StreamName } from '#contracts';
import {
  appendSurely,
  type EventStore,
  type EventStoreDbOptions,
  type ExpectedRevision,
  isInvalidEvent,
  isOutcomeUnknown,
  isPositionAhead,
  type SubscriptionDelivery,
} from '#event-store';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { silentLogger, sleep, systemClock } from '#platform';
import {
  events,
  follow,
  kinds,
  positions,
  refusal,
  revisions,
  streamRevisions,
} from '#test/contracts/event-store/observe';
import { Log } from '#test/support/eventstoredb/log';
import { EventStoreDbServer, type TestServerOptions } from '#test/support/eventstoredb/server';
import { freshStream, proposed, someEvents } from '#test/support/sample-events';

const DEADLINE_MS = 10_000;
const AT_NO_POSITION = '99999999999999999999' as Position;

let running: { stop(): void; close?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const part of running.toReversed()) await (part.close?.() ?? part.stop());
  running = [];
});

async function serve(options?: TestServerOptions): Promise<EventStoreDbServer> {
  const server = await EventStoreDbServer.start(options);
  running.push(server);
  return server;
}

async function open(url: string, options: Partial<EventStoreDbOptions> = {}): Promise<EventStore> {
  const store = await openEventStoreDb({ url, logger: silentLogger, ...options });
  running.push({ stop: () => undefined, close: () => store.close() });
  return store;
}

function surely(store: EventStore, stream = freshStream()) {
  return { store, stream, clock: systemClock, deadline: systemClock.monotonic() + DEADLINE_MS };
}

describe('a server that becomes unreachable', () => {
  it('and returns: a subscription continues with no gap, no repetition and one caught-up', async () => {
    const server = await serve();
    const store = await open(server.url);
    const stream = freshStream();
    await store.append(stream, someEvents(3), 'none');
    const following = follow(store, { after: 'start' });
    await following.until((seen) => kinds(seen).includes('caught-up'));
    server.stop();
    const back = await serve({ port: server.port, log: server.log });
    await appendWhenBack(store, stream, someEvents(2), 2n);
    await following.until((seen) => events(seen).length === 5);
    back.stop();
    await serve({ port: server.port, log: server.log });
    await appendWhenBack(store, stream, someEvents(1), 4n);
    await following.until((seen) => events(seen).length === 6);
    await following.stop();
    expect(streamRevisions(following.seen, stream)).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
    expect(kinds(following.seen).filter((kind) => kind === 'caught-up')).toHaveLength(1);
  });

  it('during a long history: the reader gets every event once', async () => {
    const server = await serve();
    const store = await open(server.url);
    const stream = freshStream();
    for (let from = -1n; from < 1_999n; from += 500n) {
      await store.append(stream, someEvents(500), from < 0n ? 'none' : from);
    }
    const abort = new AbortController();
    const seen: bigint[] = [];
    for await (const delivery of store.subscribe({ after: 'start', signal: abort.signal })) {
      if (delivery.kind === 'event') seen.push(delivery.event.revision);
      if (seen.length === 700) {
        server.stop();
        await serve({ port: server.port, log: server.log });
      }
      if (delivery.kind === 'caught-up') abort.abort();
    }
    expect(seen).toEqual(Array.from({ length: 2_000 }, (_, index) => BigInt(index)));
  });

  it('for long: the subscription reports it, reads and appends are unavailable, and all work again afterwards', async () => {
    const server = await serve();
    const store = await open(server.url, { reconnectForMs: 200, timeoutMs: 2_000 });
    const following = follow(store, { after: 'start' });
    await following.until((seen) => kinds(seen).includes('caught-up'));
    server.stop();
    await expect(following.until(() => false)).rejects.toMatchObject({
      code: 'engine_unavailable',
      retryAfter: 1,
    });
    const stream = freshStream();
    expect(
      isFootnoteError(await refusal(revisions(store.read(stream))), 'engine_unavailable'),
    ).toBe(true);
    expect(isFootnoteError(await refusal(store.head()), 'engine_unavailable')).toBe(true);
    expect(
      isFootnoteError(
        await refusal(store.append(stream, someEvents(1), 'none')),
        'engine_unavailable',
      ),
    ).toBe(true);
    await serve({ port: server.port, log: server.log });
    expect(await appendWhenBack(store, stream, someEvents(1), 'none')).toBe(0n);
  });

  it('with many appends in flight: each is answered, unknown or unavailable, and no rejection is unhandled', async () => {
    const server = await serve();
    const store = await open(server.url, { timeoutMs: 2_000 });
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    await store.append(freshStream(), someEvents(1), 'none');
    const appends = Array.from({ length: 200 }, () =>
      store.append(freshStream(), someEvents(20), 'none'),
    );
    await Promise.race(appends);
    server.stop();
    const outcomes = await Promise.allSettled(appends);
    process.off('unhandledRejection', note);
    const failed = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    expect(failed.length).toBeGreaterThan(0);
    const odd = failed.filter(
      (error) => !isOutcomeUnknown(error) && !isFootnoteError(error, 'engine_unavailable'),
    );
    expect(odd).toEqual([]);
    expect(unhandled).toEqual([]);
  });

  it('at the start: the open is rejected, and succeeds when it is back', async () => {
    const server = await serve();
    server.stop();
    const refused = await refusal(openEventStoreDb({ url: server.url, logger: silentLogger }));
    expect(isFootnoteError(refused, 'engine_unavailable')).toBe(true);
    await serve({ port: server.port, log: server.log });
    const store = await open(server.url);
    expect(await store.head()).toBeNull();
  });

  it('and returns with an older log: the subscription is rejected instead of waiting for known positions', async () => {
    const server = await serve();
    const store = await open(server.url);
    await store.append(freshStream(), someEvents(5), 'none');
    const following = follow(store, { after: 'start' });
    await following.until((seen) => kinds(seen).includes('caught-up'));
    server.stop();
    await serve({ port: server.port, log: new Log() });
    expect(isPositionAhead(await refusal(following.until(() => false)))).toBe(true);
    const ahead = follow(store, { after: AT_NO_POSITION });
    const error = await refusal(ahead.until(() => false));
    expect(isPositionAhead(error)).toBe(true);
    expect(String(error)).toContain(
      `Position ${AT_NO_POSITION} is ahead of the event log (EventStoreDB at 127.0.0.1:${server.port}), which `,
    );
  });

  it('for long: the error names log and position to the reader, not to clients', async () => {
    const server = await serve();
    const store = await open(server.url.replace('esdb://', 'esdb://user:secret@'));
    const { position } = await store.append(freshStream(), someEvents(1), 'none');
    server.stop();
    const error = await refusal(follow(store, { after: position }).until(() => false));
    expect(String(error)).not.toContain('127.0.0.1');
    expect((error as Error).cause).toMatchObject({
      message: `EventStoreDB at 127.0.0.1:${server.port} was asked for its events after position ${position}`,
      cause: expect.anything(),
    });
  });
});

describe.each([
  ['BatchAppend', true],
  ['Append', false],
])('an append by %s whose answer is lost', (_, batchAppend) => {
  it.each(['break', 'swallow'] as const)(
    '(%s) is of unknown outcome, and is written once when repeated',
    async (how) => {
      const server = await serve({ batchAppend });
      const store = await open(server.url, { timeoutMs: 400 });
      const stream = freshStream();
      const first = someEvents(2);
      server.loseAnswers(1, how);
      expect(isOutcomeUnknown(await refusal(store.append(stream, first, 'none')))).toBe(true);
      expect(await store.append(stream, first, 'none')).toMatchObject({ revision: 1n });

      server.loseAnswers(2, how);
      const before = server.appends;
      expect(await appendSurely(surely(store, stream), someEvents(2), 1n)).toMatchObject({
        revision: 3n,
      });
      expect(server.appends - before).toBe(3);
      expect(await revisions(store.read(stream))).toEqual([0n, 1n, 2n, 3n]);
    },
  );
});

describe.each([
  ['BatchAppend', true],
  ['Append', false],
])('an append by %s', (_, batchAppend) => {
  it('that repeats one in flight is repeated until it is answered, without affecting other appends', async () => {
    const server = await serve({ batchAppend, commitMs: 50 });
    const store = await open(server.url, { timeoutMs: 5_000 });
    await store.append(freshStream(), someEvents(1), 'none');
    const before = server.appends;
    const thrice = (stream = freshStream(), proposals = someEvents(2)) =>
      Promise.all([1, 2, 3].map(() => store.append(stream, proposals, 'none')));
    const first = thrice();
    await sleep(700);
    // Still without an answer when the server gives up on the first.
    const second = thrice();
    for (const results of [await first, await second]) {
      expect(new Set(results.map((result) => result.position)).size).toBe(1);
      expect(results.map((result) => result.revision)).toEqual([1n, 1n, 1n]);
    }
    expect(server.appends - before).toBe(3 + 2 + 3 + 2);
  });

  it('that repeats one in flight is of unknown outcome if the timeout is shorter than the server waits', async () => {
    const server = await serve({ batchAppend, commitMs: 50 });
    const store = await open(server.url, { timeoutMs: 1_000 });
    const [stream, proposals] = [freshStream(), someEvents(2)];
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => store.append(stream, proposals, 'none')),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    expect(refused).toHaveLength(1);
    expect(refused.every(isOutcomeUnknown)).toBe(true);
    expect(await store.append(stream, proposals, 'none')).toMatchObject({ revision: 1n });
  });

  it.each([
    ['the server accepts', 1_100_000],
    ['any server accepts', 17_000_000],
  ])('that is larger than %s is invalid, and concurrent ones are written', async (__, size) => {
    const server = await serve({ batchAppend });
    const store = await open(server.url);
    const large = proposed({
      type: 'JobFailed',
      data: {
        job_id: 'job',
        source_id: 'source',
        error_message: 'x'.repeat(size),
        error_details: null,
      },
    });
    const streams = Array.from({ length: 10 }, () => freshStream());
    const beside = streams.map((stream) => store.append(stream, someEvents(1), 'none'));
    const stream = freshStream('job');
    expect(isInvalidEvent(await refusal(store.append(stream, [large], 'none')))).toBe(true);
    expect(await Promise.all(beside)).toHaveLength(10);
    expect(await revisions(store.read(stream))).toEqual([]);
  });
});

describe('a cluster', () => {
  it.each<[string, (ports: readonly number[]) => string]>([
    ['several hosts', ([one, other]) => `esdb://127.0.0.1:${one},127.0.0.1:${other}?tls=false`],
    ['discovery', ([one]) => `esdb+discover://127.0.0.1:${one}?tls=false`],
  ])('is found by gossip from %s, and its leader is written to', async (__, url) => {
    const log = new Log();
    const [follower, leader] = [await serve({ log }), await serve({ log })];
    follower.leader = { host: '127.0.0.1', port: leader.port };
    follower.members = leader.members = [
      { host: '127.0.0.1', port: follower.port, leads: false },
      { host: '127.0.0.1', port: leader.port, leads: true },
    ];
    const store = await open(url([follower.port, leader.port]));
    await store.append(freshStream(), someEvents(1), 'none');
    expect(follower.gossips + leader.gossips).toBeGreaterThan(0);
    expect([follower.appends, leader.appends]).toEqual([0, 1]);
  });

  it.each([true, false])(
    'whose node stops leading is followed to its new leader (batch append: %s)',
    async (batchAppend) => {
      const log = new Log();
      const [first, second] = [
        await serve({ log, batchAppend }),
        await serve({ log, batchAppend }),
      ];
      const store = await open(first.url);
      const stream = freshStream();
      await store.append(stream, someEvents(1), 'none');
      first.leader = { host: '127.0.0.1', port: second.port };
      expect(await appendSurely(surely(store, stream), someEvents(1), 0n)).toMatchObject({
        revision: 1n,
      });
      expect(await revisions(store.read(stream))).toEqual([0n, 1n]);
      const following = follow(store, { after: 'start' });
      await following.until((seen) => kinds(seen).includes('caught-up'));
      await following.stop();
      expect(streamRevisions(following.seen, stream)).toEqual([0n, 1n]);
      expect([first.appends, second.appends]).toEqual([1, 1]);
    },
  );
});

describe('a cluster that becomes unreachable as a whole', () => {
  it('is unavailable, and found again when it is back', async () => {
    const log = new Log();
    const nodes = [await serve({ log }), await serve({ log })];
    const hosts = nodes.map((node) => `127.0.0.1:${node.port}`);
    const store = await open(`esdb://${hosts.join(',')}?tls=false&maxDiscoverAttempts=2`);
    const stream = freshStream();
    await store.append(stream, someEvents(1), 'none');
    const followings = [1, 2, 3].map(() => follow(store, { after: 'start' }));
    await Promise.all(
      followings.map((following) => following.until((seen) => kinds(seen).includes('caught-up'))),
    );
    for (const node of nodes) node.stop();
    const next = someEvents(1);
    await expect(appendSurely(surely(store, stream), next, 0n)).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
    await expect(store.head()).rejects.toMatchObject({ code: 'engine_unavailable' });
    for (const node of nodes) await serve({ log, port: node.port });
    expect(await appendWhenBack(store, stream, next, 0n)).toBe(1n);
    for (const following of followings) {
      await following.until((seen) => events(seen).length === 2);
      await following.stop();
      expect(streamRevisions(following.seen, stream)).toEqual([0n, 1n]);
    }
  });
});

describe('a request that never reaches the server', () => {
  it('is an append of data that JSON cannot represent', async () => {
    const server = await serve();
    const store = await open(server.url);
    const [event] = someEvents(1);
    const big = {
      ...event,
      metadata: { ...event?.metadata, occurred_at: 1n },
    } as unknown as ProposedEvent;
    expect(isInvalidEvent(await refusal(store.append(freshStream(), [big], 'none')))).toBe(true);
    expect(server.appends).toBe(0);
  });

  it('is any request to a closed store', async () => {
    const server = await serve();
    const store = await open(server.url);
    const following = follow(store, { after: 'start' });
    await following.until((seen) => kinds(seen).includes('caught-up'));
    await store.close();
    await expect(following.until(() => false)).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(store.append(freshStream(), someEvents(1), 'none')).rejects.toMatchObject({
      code: 'shutting_down',
    });
  });

  it.each(['http://127.0.0.1:2113', 'esdb://127.0.0.1:2113?throwOnAppendFailure=false'])(
    'is %s',
    async (url) => {
      await expect(openEventStoreDb({ url, logger: silentLogger })).rejects.toBeInstanceOf(
        RangeError,
      );
    },
  );
});

describe('a slow reader', () => {
  it('never receives a checkpoint ahead of the events before it', async () => {
    const server = await serve();
    const store = await open(server.url);
    for (let round = 0; round < 4; round += 1) {
      for (let part = 0; part < 4; part += 1)
        await store.append(freshStream('source'), someEvents(400), 'none');
      await store.append(freshStream('job'), someEvents(30, 'JobCancelled'), 'none');
    }
    const abort = new AbortController();
    const seen: SubscriptionDelivery[] = [];
    const filter = { types: ['JobCancelled'] };
    for await (const delivery of store.subscribe({
      after: 'start',
      filter,
      signal: abort.signal,
    })) {
      await setImmediate();
      seen.push(delivery);
      if (delivery.kind === 'caught-up') abort.abort();
    }
    const places = seen.flatMap((delivery) =>
      'position' in delivery ? [delivery.position] : positions([delivery]),
    );
    expect(places).toEqual(places.toSorted());
    expect(events(seen)).toHaveLength(120);
    expect(kinds(seen).filter((kind) => kind === 'checkpoint').length).toBeGreaterThan(1);
    expect(kinds(seen).at(-1)).toBe('caught-up');
  });
});

/**
 * Appends once the server is reached again; until the client has reconnected, an append is rejected
 * at once.
 */
async function appendWhenBack(
  store: EventStore,
  stream: StreamName,
  proposals: readonly ProposedEvent[],
  expected: ExpectedRevision,
): Promise<bigint> {
  for (const deadline = Date.now() + DEADLINE_MS; ;) {
    try {
      return (await appendSurely(surely(store, stream), proposals, expected)).revision;
    } catch (error) {
      if (!isFootnoteError(error, 'engine_unavailable') || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
