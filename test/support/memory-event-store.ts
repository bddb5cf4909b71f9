import type { Position, ProposedEvent, RecordedEvent, StreamName } from '#contracts';
import {
  type AppendResult,
  CorruptedIdempotencyError,
  type EventStore,
  type ExpectedRevision,
  PositionAheadError,
  type ReadOptions,
  type SubscribeOptions,
  type SubscriptionDelivery,
  WrongExpectedRevisionError,
} from '#event-store';
import { validateProposed } from '#event-store/serialization/validate-proposed';
import { checkAppend } from '#event-store/sqlite/append-check';

/** The number of events left out by a filter after which a subscription reports its position. */
const CHECKPOINT_EVERY = 100;

/**
 * The log in memory: it keeps the contract of the port except durability. In addition, tests record
 * whole histories, with events of a future version among them.
 */
export class MemoryEventStore implements EventStore {
  deliveryVersion = 1;
  readonly events: RecordedEvent[] = [];
  private readonly streams = new Map<StreamName, RecordedEvent[]>();
  private changed = Promise.withResolvers<void>();

  /** Records an event of a stream at the next position. */
  record(stream: StreamName, event: ProposedEvent): RecordedEvent {
    const revision = BigInt(this.streamOf(stream).length);
    return this.put({
      ...event,
      stream,
      revision,
      position: at(this.events.length),
      recordedAt: new Date(),
    });
  }

  /** Records an event with a revision of the caller's, for long histories. */
  put(event: RecordedEvent): RecordedEvent {
    this.events.push(event);
    const ofStream = this.streams.get(event.stream);
    if (ofStream) ofStream.push(event);
    else this.streams.set(event.stream, [event]);
    this.changed.resolve();
    this.changed = Promise.withResolvers();
    return event;
  }

  async append(
    stream: StreamName,
    events: readonly ProposedEvent[],
    expected: ExpectedRevision = 'any',
  ): Promise<AppendResult> {
    const valid = validateProposed(stream, events, expected);
    const stored = this.streamOf(stream);
    const verdict = checkAppend(
      typeof expected === 'bigint' ? Number(expected) : expected,
      idsOf(valid),
      {
        last: stored.length === 0 ? null : stored.length - 1,
        idsFrom: (revision, count) => idsOf(stored.slice(revision, revision + count)),
        recentRevision: (id) => indexOf(stored, id),
      },
    );
    if (verdict.kind === 'corrupted')
      throw new CorruptedIdempotencyError(stream, valid[0]?.id ?? '');
    if (verdict.kind === 'conflict') {
      const actual = verdict.actual === null ? 'none' : BigInt(verdict.actual);
      throw new WrongExpectedRevisionError(stream, expected, actual);
    }
    const last =
      verdict.kind === 'write'
        ? valid.map((event) => this.record(stream, event)).at(-1)
        : stored[verdict.revision];
    if (!last) throw new Error('Nothing was appended');
    return { revision: last.revision, position: last.position };
  }

  async *read(
    stream: StreamName,
    { from, backwards = false, limit = Infinity }: ReadOptions = {},
  ): AsyncIterable<RecordedEvent> {
    const wanted = this.streamOf(stream).filter(
      ({ revision }) => from === undefined || (backwards ? revision <= from : revision >= from),
    );
    yield* (backwards ? wanted.toReversed() : wanted).slice(0, limit);
  }

  async *subscribe({
    after,
    filter,
    signal,
  }: SubscribeOptions): AsyncIterable<SubscriptionDelivery> {
    if (after !== 'start' && !(await this.reaches(after)))
      throw new PositionAheadError(after, await this.head());
    let next = after === 'start' ? 0 : Number(after) + 1;
    let live = false;
    let quiet = 0;
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve()),
    );
    const passes = ({ type, stream }: RecordedEvent): boolean =>
      (!filter?.types || filter.types.includes(type)) &&
      (!filter?.categories || filter.categories.includes(stream.slice(0, stream.indexOf('-'))));
    while (!signal.aborted) {
      const event = this.events[next];
      if (event) {
        next += 1;
        quiet += 1;
        if (passes(event)) {
          quiet = 0;
          yield { kind: 'event', event };
        } else if (quiet % CHECKPOINT_EVERY === 0)
          yield { kind: 'checkpoint', position: event.position };
        continue;
      }
      if (!live) {
        live = true;
        if (quiet > 0) yield { kind: 'checkpoint', position: at(next - 1) };
        yield { kind: 'caught-up' };
        continue;
      }
      await Promise.race([this.changed.promise, aborted]);
    }
  }

  async head(): Promise<Position | null> {
    return this.events.at(-1)?.position ?? null;
  }

  async reaches(position: Position): Promise<boolean> {
    return Number(position) < this.events.length;
  }

  async close(): Promise<void> {}

  private streamOf(stream: StreamName): readonly RecordedEvent[] {
    return this.streams.get(stream) ?? [];
  }
}

function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map(({ id }) => id);
}

function indexOf(events: readonly RecordedEvent[], id: string): number | undefined {
  const index = events.findIndex((event) => event.id === id);
  return index === -1 ? undefined : index;
}

/** The position of the event with this index. */
export function at(index: number): Position {
  return String(index).padStart(20, '0') as Position;
}
