import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { isFootnoteError, type SourceEvent, type StreamName } from '#contracts';
import {
  type EventStore,
  type Evolver,
  foldStream,
  type HandleCommand,
  handleCommand,
  isWrongExpectedRevision,
  openSqliteEventStore,
  OutcomeUnknownError,
} from '#event-store';
import { freshStream, sampleMetadata, someEvents } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

/** The state of a stream: the list of requested jobs. */
type Jobs = readonly string[];
const jobs: Evolver<Jobs, SourceEvent> = {
  initial: [],
  evolve: (state, event) =>
    event.type === 'SourceSyncRequested' ? [...state, event.data.job_id] : state,
};

const asking = (...ids: string[]): SourceEvent[] =>
  ids.map((job_id) => ({ type: 'SourceSyncRequested', data: { source_id: 's', job_id } }));

describe('handleCommand', () => {
  const folder = tempDir();
  let store: EventStore;
  beforeAll(async () => {
    store = await openSqliteEventStore({ directory: folder.path, onFatal: fail });
  });
  afterAll(async () => {
    await store.close();
    folder.remove();
  });

  /** Runs a command that requests the given jobs. */
  const run = (
    stream: StreamName,
    ids: string[],
    overrides: Partial<HandleCommand<Jobs, SourceEvent>> & {
      commandId?: string;
      body?: string;
      limitMs?: number;
    } = {},
  ) => {
    const metadata = sampleMetadata('SourceSyncRequested');
    const idempotency = overrides.body
      ? { idempotency: { key_hash: 'key', body_hash: overrides.body } }
      : {};
    return handleCommand<Jobs, SourceEvent>({
      store,
      decider: jobs,
      stream,
      expected: 'any',
      decide: () => asking(...ids),
      context: {
        commandId: overrides.commandId ?? randomUUID(),
        metadata: { ...metadata, ...idempotency },
        deadline: performance.now() + (overrides.limitMs ?? 5_000),
      },
      ...overrides,
    });
  };

  it('appends what was decided and returns state, revision and position', async () => {
    const stream = freshStream();
    const result = await run(stream, ['a', 'b'], { expected: 'new' });
    expect(result).toMatchObject({
      state: ['a', 'b'],
      revision: 1n,
      appended: true,
      replayed: false,
    });
    expect(result.position).toBe(await store.head());
    expect(await foldStream(store, jobs, stream)).toEqual({
      state: ['a', 'b'],
      revision: 1n,
      position: result.position,
    });
  });

  it('decides on the state it read', async () => {
    const stream = freshStream();
    const { position } = await run(stream, ['a']);
    const seen: Jobs[] = [];
    const decide = (state: Jobs) => (seen.push(state), []);
    const result = await run(stream, [], { decide, expected: 'existing' });
    expect(seen).toEqual([['a']]);
    expect(result).toMatchObject({
      state: ['a'],
      events: [],
      revision: 0n,
      appended: false,
      metadata: null,
    });
    expect(result.position).toBe(position);
  });

  it('reports a stream without events if nothing is decided', async () => {
    const result = await run(freshStream(), []);
    expect(result).toMatchObject({
      state: [],
      events: [],
      revision: 'none',
      position: null,
      appended: false,
    });
  });

  it('rejects a stream that is not as expected', async () => {
    const stream = freshStream();
    const missing = await run(stream, ['a'], { expected: 'existing' }).catch(
      (error: unknown) => error,
    );
    expect(isWrongExpectedRevision(missing)).toBe(true);
    await run(stream, ['a'], { expected: 'new' });
    const taken = await run(stream, ['b'], { expected: 'new' }).catch((error: unknown) => error);
    expect(taken).toMatchObject({ code: 'wrong_expected_revision', expected: 'none', actual: 0n });
  });

  it('reads and decides again after each conflict, so that simultaneous commands all count', async () => {
    const stream = freshStream();
    const ids = Array.from({ length: 12 }, (_, index) => `job-${index}`);
    const results = await Promise.all(ids.map((id) => run(stream, [id])));
    expect(results.every((result) => result.appended)).toBe(true);
    const { state } = await foldStream(store, jobs, stream);
    expect([...state].toSorted()).toEqual(ids.toSorted());
  });

  it('decides on a state that the caller read, without a read of its own', async () => {
    const stream = freshStream();
    await run(stream, ['a']);
    const known = await foldStream(store, jobs, stream);
    const read = (): never => fail(new Error('The stream was read'));
    const unread = { append: store.append.bind(store), read };
    const result = await run(stream, ['b'], { store: unread, known });
    expect(result).toMatchObject({ state: ['a', 'b'], revision: 1n, appended: true });
  });

  it('reads the stream after a conflict on a state that the caller read', async () => {
    const stream = freshStream();
    const known = await foldStream(store, jobs, stream);
    await run(stream, ['a']);
    const seen: Jobs[] = [];
    const decide = (state: Jobs) => (seen.push(state), asking('b'));
    const result = await run(stream, [], { decide, known });
    expect(seen).toEqual([[], ['a']]);
    expect(result).toMatchObject({ state: ['a', 'b'], revision: 1n });
  });

  it('gives up at the deadline with concurrent_change, having written nothing', async () => {
    const stream = freshStream();
    await run(stream, ['a']);
    const stale: Pick<EventStore, 'read' | 'append'> = {
      read: (name) => store.read(name),
      append: (name, events) => store.append(name, events, 99n),
    };
    const error = await run(stream, ['b'], { store: stale, limitMs: 60 }).catch(
      (caught: unknown) => caught,
    );
    expect(isFootnoteError(error, 'concurrent_change')).toBe(true);
    expect((await foldStream(store, jobs, stream)).state).toEqual(['a']);
  });

  it('passes errors of decide on', async () => {
    const decide = () => {
      throw new TypeError('no');
    };
    await expect(run(freshStream(), [], { decide })).rejects.toThrow(TypeError);
  });

  it('repeats an append whose outcome is unknown, and writes it once', async () => {
    const stream = freshStream();
    let calls = 0;
    const deaf: Pick<EventStore, 'read' | 'append'> = {
      read: (name) => store.read(name),
      append: async (name, events, expected) => {
        const result = await store.append(name, events, expected);
        calls += 1;
        if (calls < 3) throw new OutcomeUnknownError(name, 'the answer was lost');
        return result;
      },
    };
    const result = await run(stream, ['a'], { store: deaf });
    expect(calls).toBe(3);
    expect(result).toMatchObject({ state: ['a'], revision: 0n, appended: true });
    expect((await foldStream(store, jobs, stream)).state).toEqual(['a']);
  });

  it('reports an outcome that stays unknown as engine_unavailable', async () => {
    const mute: Pick<EventStore, 'read' | 'append'> = {
      read: (name) => store.read(name),
      append: async (name) => Promise.reject(new OutcomeUnknownError(name, 'nobody answers')),
    };
    const error = await run(freshStream(), ['a'], { store: mute, limitMs: 60 }).catch(
      (caught: unknown) => caught,
    );
    expect(isFootnoteError(error, 'engine_unavailable')).toBe(true);
  });

  describe('a command that ran before', () => {
    it('is not decided again and gets its first result, even if the stream has grown', async () => {
      const stream = freshStream();
      const commandId = randomUUID();
      const first = await run(stream, ['a', 'b'], { commandId, body: 'one' });
      await run(stream, ['c']);
      const decide = () => {
        throw new Error('decided again');
      };
      const again = await run(stream, [], { commandId, decide, expected: 'new', body: 'other' });
      expect(again).toEqual({ ...first, appended: false, replayed: true });
      expect(again.metadata?.idempotency).toEqual({ key_hash: 'key', body_hash: 'one' });
    });

    it('reports the first body if a request with another body ran at the same moment', async () => {
      const stream = freshStream();
      const commandId = randomUUID();
      const results = await Promise.all(
        ['one', 'two', 'three'].map((body) => run(stream, [`job-${body}`], { commandId, body })),
      );
      expect(results.filter((result) => result.appended)).toHaveLength(1);
      const bodies = results.map((result) => result.metadata?.idempotency?.body_hash);
      expect(new Set(bodies).size).toBe(1);
      expect(new Set(results.map((result) => JSON.stringify(result.state))).size).toBe(1);
    });

    it('stores the idempotency record on its first event only', async () => {
      const stream = freshStream();
      await run(stream, ['a', 'b'], { body: 'one' });
      const stored: unknown[] = [];
      for await (const event of store.read(stream))
        stored.push(event.metadata.idempotency?.body_hash);
      expect(stored).toEqual(['one', undefined]);
    });
  });

  it('does not return events of another command', async () => {
    const stream = freshStream();
    await store.append(stream, someEvents(2), 'none');
    expect((await run(stream, ['x'])).revision).toBe(2n);
  });
});

function fail(error: Error): never {
  throw error;
}
