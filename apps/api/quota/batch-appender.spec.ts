import { describe, expect, it } from '@jest/globals';

import { FootnoteError, type Position, type ProposedEvent, type RecordedEvent } from '#contracts';
import {
  type EventStore,
  InvalidEventError,
  OutcomeUnknownError,
  WrongExpectedRevisionError,
} from '#event-store';
import { validateProposed } from '#event-store/serialization/validate-proposed';
import { systemClock, uuidv7 } from '#platform';
import { proposed } from '#test/support/sample-events';

import { BatchAppender, type EventsAt } from './batch-appender.js';

const STREAM = 'quota-tenant-search';

/** A stream that takes an append only on request, and remembers how it was cut. */
class SlowStream implements Pick<EventStore, 'append' | 'read'> {
  readonly events: ProposedEvent[] = [];
  readonly appends: number[] = [];
  /** Runs before an append is looked at; what it throws is what the append fails with. */
  before: (events: readonly ProposedEvent[]) => Promise<void> = () => Promise.resolve();

  async append(
    _stream: string,
    events: readonly ProposedEvent[],
    expected: 'none' | 'exists' | 'any' | bigint,
  ) {
    await this.before(events);
    const last = this.events.length === 0 ? 'none' : BigInt(this.events.length - 1);
    const already = this.events.at(-events.length)?.id === events[0]?.id;
    if (!already && expected !== last) throw new WrongExpectedRevisionError(STREAM, expected, last);
    if (!already) {
      this.appends.push(events.length);
      this.events.push(...events);
    }
    const revision = BigInt(this.events.length - 1);
    return { revision, position: String(revision).padStart(8, '0') as Position };
  }

  async *read(): AsyncIterable<RecordedEvent> {
    const revision = BigInt(this.events.length - 1);
    if (revision >= 0n) yield { ...this.events.at(-1), revision } as RecordedEvent;
  }
}

const consumed = () => proposed({ type: 'QuotaConsumed', data: { metric: 'search', amount: 1 } });
const one: EventsAt = async () => [consumed()];
const soon = () => systemClock.monotonic() + 2_000;

describe('appending in batches', () => {
  it('takes together who comes while an append is in flight', async () => {
    const stream = new SlowStream();
    const gate = Promise.withResolvers<void>();
    stream.before = () => gate.promise;
    const appender = new BatchAppender(stream, STREAM, systemClock);
    const first = appender.add(one, soon());
    await new Promise((resolve) => setImmediate(resolve));
    const others = Array.from({ length: 31 }, () => appender.add(one, soon()));
    gate.resolve();
    const settled = await Promise.all([first, ...others]);
    expect(stream.appends).toEqual([1, 31]);
    expect(settled.map(({ id }) => id)).toEqual(stream.events.map(({ id }) => id));
  });

  it('gives each waiter the revision that its events get, also when some have several', async () => {
    const stream = new SlowStream();
    stream.events.push(consumed());
    const appender = new BatchAppender(stream, STREAM, systemClock);
    const reported: bigint[] = [];
    const tell =
      (count: number): EventsAt =>
      async (revision) => {
        reported.push(revision);
        return Array.from({ length: count }, consumed);
      };
    await Promise.all([2, 1, 3].map((count) => appender.add(tell(count), soon())));
    await appender.add(tell(1), soon());
    expect(reported).toEqual([1n, 3n, 4n, 7n]);
    expect(stream.events).toHaveLength(8);
  });

  it('reads the end again after a conflict and makes new events for it', async () => {
    const stream = new SlowStream();
    const appender = new BatchAppender(stream, STREAM, systemClock);
    await appender.add(one, soon());
    stream.events.push(consumed(), consumed());
    const reported: bigint[] = [];
    const { id } = await appender.add(async (revision) => {
      reported.push(revision);
      return [{ ...consumed(), id: uuidv7() }];
    }, soon());
    expect(reported).toEqual([1n, 3n]);
    expect(stream.events).toHaveLength(4);
    expect(stream.events.at(-1)?.id).toBe(id);
  });

  it('writes once when the outcome of an append was not known', async () => {
    const stream = new SlowStream();
    let lost = true;
    const append = stream.append.bind(stream);
    stream.append = async (...append_) => {
      const result = await append(...append_);
      if (lost) {
        lost = false;
        throw new OutcomeUnknownError(STREAM, 'the connection broke');
      }
      return result;
    };
    const { id } = await new BatchAppender(stream, STREAM, systemClock).add(one, soon());
    expect(stream.events.map((event) => event.id)).toEqual([id]);
  });

  it('fails one waiter alone when its events cannot be made', async () => {
    const stream = new SlowStream();
    const appender = new BatchAppender(stream, STREAM, systemClock);
    const bad = appender.add(() => Promise.reject(new Error('no key')), soon());
    const good = appender.add(one, soon());
    await expect(bad).rejects.toThrow('no key');
    await good;
    expect(stream.appends).toEqual([1]);
  });

  it.each([
    [
      'data that does not fit its schema',
      [{ ...consumed(), data: { metric: 'search', amount: -1 } }],
    ],
    ['a type that is not declared', [{ ...consumed(), type: 'Unheard' }]],
    [
      'a schema version of the past',
      [{ ...consumed(), metadata: { ...consumed().metadata, schema_version: 1 } }],
    ],
    ['no event at all', []],
  ])('fails one waiter alone that proposes %s', async (_, events) => {
    const stream = new SlowStream();
    stream.before = async (all) => void validateProposed(STREAM, all, 'any');
    const appender = new BatchAppender(stream, STREAM, systemClock);
    const others = [appender.add(one, soon()), appender.add(one, soon())];
    const bad = appender.add(async () => events, soon());
    await expect(bad).rejects.toThrow(InvalidEventError);
    await expect(Promise.all([...others, appender.add(one, soon())])).resolves.toHaveLength(3);
    expect(stream.events).toHaveLength(3);
  });

  it('fails one waiter alone that proposes the id of another in the batch', async () => {
    const stream = new SlowStream();
    stream.before = async (all) => void validateProposed(STREAM, all, 'any');
    const appender = new BatchAppender(stream, STREAM, systemClock);
    const event = consumed();
    const first = appender.add(one, soon());
    const twins = [
      appender.add(async () => [event], soon()),
      appender.add(async () => [event], soon()),
    ];
    await first;
    expect((await Promise.allSettled(twins)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(stream.events).toHaveLength(2);
  });

  it('refuses at its deadline with engine_unavailable while the store is away, and goes on when it is back', async () => {
    const stream = new SlowStream();
    stream.before = () => Promise.reject(new OutcomeUnknownError(STREAM, 'away'));
    const appender = new BatchAppender(stream, STREAM, systemClock);
    const refused = appender.add(one, systemClock.monotonic() + 60);
    await expect(refused).rejects.toMatchObject({ code: 'engine_unavailable', retryAfter: 1 });
    expect(stream.events).toEqual([]);
    stream.before = () => Promise.resolve();
    await appender.add(one, soon());
    expect(stream.events).toHaveLength(1);
  });

  it('hands every waiter what the store refuses for good, and takes the next', async () => {
    const stream = new SlowStream();
    stream.before = () => Promise.reject(new FootnoteError('storage_full', 'The disk is full'));
    const appender = new BatchAppender(stream, STREAM, systemClock);
    const outcomes = await Promise.allSettled([
      appender.add(one, soon()),
      appender.add(one, soon()),
    ]);
    expect(
      outcomes.map(
        (outcome) => outcome.status === 'rejected' && (outcome.reason as FootnoteError).code,
      ),
    ).toEqual(['storage_full', 'storage_full']);
    stream.before = () => Promise.resolve();
    await appender.add(one, soon());
    expect(stream.appends).toEqual([1]);
  });

  it('puts no more than a store takes into one append, and refuses more waiters than it can hold', async () => {
    const stream = new SlowStream();
    const gate = Promise.withResolvers<void>();
    stream.before = () => gate.promise;
    const appender = new BatchAppender(stream, STREAM, systemClock);
    const big = 'x'.repeat(8_000);
    const waiters = Array.from({ length: 150 }, () =>
      appender.add(
        async () => [proposed({ type: 'ReceiptContinued', data: { part: 1, sealed: big } })],
        soon(),
      ),
    );
    const small = Array.from({ length: 1_850 }, () => appender.add(one, soon()));
    await expect(appender.add(one, soon())).rejects.toMatchObject({ code: 'engine_unavailable' });
    gate.resolve();
    await Promise.all([...waiters, ...small]);
    expect(stream.events).toHaveLength(2_000);
    expect(Math.max(...stream.appends)).toBeLessThanOrEqual(300);
    expect(stream.appends[0]).toBeLessThan(70);
  });
});
