import { FootnoteError, type Position, type ProposedEvent, type StreamName } from '#contracts';
import {
  appendSurely,
  type EventStore,
  InvalidEventError,
  isWrongExpectedRevision,
  pauseBefore,
  validateEvent,
} from '#event-store';
import type { Clock } from '#platform';

/** Events of one append at most, and so many bytes of them (an event store may take a MiB). */
const BATCH_EVENTS = 300;
const BATCH_BYTES = 512 * 1024;
/** Longer waits are rejected, because the store is slower than its callers. */
const MAX_WAITING = 2_000;

/** Makes the events of one waiter. Called again, with another revision, after a conflict. */
export type EventsAt = (revision: bigint) => Promise<readonly ProposedEvent[]>;

export interface Appended {
  /** Id of the first event. */
  readonly id: string;
  /** Position of the append's last event. */
  readonly position: Position;
}

interface Waiter {
  readonly eventsAt: EventsAt;
  /** Milliseconds of `clock.monotonic()`. */
  readonly deadline: number;
  readonly settle: PromiseWithResolvers<Appended>;
}

/** The known end of the stream, for decisions. */
export interface StreamEnd {
  /** Revision of the last event; undefined while it is not known. */
  readonly known: bigint | 'none' | undefined;
  /** Reads what is not known of the stream. */
  read(): Promise<bigint | 'none'>;
  /** A batch begins: what was taken into the one before counts only if it was stored. */
  begin(): void;
  /** Events go into the batch, after those that did before. */
  took(events: readonly ProposedEvent[]): void;
  /** The batch is in the stream, its last event at this revision. */
  stored(revision: bigint): void;
  /** Others may have written. */
  lost(): void;
}

/** Events of some waiters that go into one append. */
interface Batch {
  readonly events: ProposedEvent[];
  readonly ids: Set<string>;
  readonly taken: { readonly waiter: Waiter; readonly id: string }[];
}

/**
 * Appends to the end of one stream that this process mostly writes alone. Only one append runs at a
 * time; requests that arrive in between share the next one, so that many share one commit. After a
 * conflict, which means that another process wrote, it reads the end and computes the events for it
 * again. Each waiter's events are stored whole, once, or not at all.
 */
export class BatchAppender {
  /** In the order they came. */
  private readonly waiting = new Set<Waiter>();
  private running = false;

  /** @param end holds the state that `eventsAt` decides on. Default: the last revision alone. */
  constructor(
    private readonly store: Pick<EventStore, 'append' | 'read'>,
    private readonly stream: StreamName,
    private readonly clock: Clock,
    private readonly end: StreamEnd = new LastRevision(store, stream),
  ) {}

  /**
   * Resolves when the events are stored.
   *
   * @param deadline milliseconds of `clock.monotonic()`
   * @throws FootnoteError `engine_unavailable` when the store did not accept them in time, although
   * it still may; errors of `eventsAt` or the store
   */
  add(eventsAt: EventsAt, deadline: number): Promise<Appended> {
    if (this.waiting.size >= MAX_WAITING) return Promise.reject(overdue());
    const settle = Promise.withResolvers<Appended>();
    this.waiting.add({ eventsAt, deadline, settle });
    if (!this.running) void this.run();
    return settle.promise;
  }

  private async run(): Promise<void> {
    this.running = true;
    for (;;) {
      this.refuseOverdue();
      const next = [...this.waiting].slice(0, BATCH_EVENTS);
      if (next.length === 0) break;
      await this.write(next);
    }
    this.running = false;
  }

  /** Settles at least one of the waiters, or takes it out of the queue. */
  private async write(waiters: readonly Waiter[]): Promise<void> {
    const deadline = Math.max(...waiters.map((waiter) => waiter.deadline));
    for (let attempt = 0; ; attempt += 1) {
      let batch: Batch = { events: [], ids: new Set(), taken: [] };
      try {
        const expected = this.end.known ?? (await this.end.read());
        batch = await this.gather(waiters, expected === 'none' ? 0n : expected + 1n);
        if (batch.events.length === 0) return;
        const target = { store: this.store, stream: this.stream, deadline, clock: this.clock };
        const { revision, position } = await appendSurely(target, batch.events, expected);
        this.end.stored(revision);
        for (const { waiter, id } of batch.taken)
          this.done(waiter, (settle) => settle.resolve({ id, position }));
        return;
      } catch (error) {
        this.end.lost();
        if (isWrongExpectedRevision(error) && (await pauseBefore(attempt, deadline, this.clock)))
          continue;
        const failure = isWrongExpectedRevision(error) ? overdue(error) : error;
        const failed = batch.taken.length > 0 ? batch.taken.map(({ waiter }) => waiter) : waiters;
        for (const waiter of failed) this.done(waiter, (settle) => settle.reject(failure));
        return;
      }
    }
  }

  /**
   * Makes events until the batch is full. A waiter whose events cannot be made, or are invalid,
   * fails alone.
   */
  private async gather(waiters: readonly Waiter[], first: bigint): Promise<Batch> {
    const batch: Batch = { events: [], ids: new Set(), taken: [] };
    let bytes = 0;
    this.end.begin();
    for (const waiter of waiters.filter((candidate) => this.waiting.has(candidate))) {
      let events: readonly ProposedEvent[];
      try {
        const made = await waiter.eventsAt(first + BigInt(batch.events.length));
        events = validateOwn(made, batch.ids);
      } catch (error) {
        this.done(waiter, (settle) => settle.reject(error));
        continue;
      }
      const size = events.reduce(
        (sum, { data, metadata }) => sum + JSON.stringify([data, metadata]).length,
        0,
      );
      const full = batch.events.length + events.length > BATCH_EVENTS || bytes + size > BATCH_BYTES;
      if (full && batch.events.length > 0) break;
      bytes += size;
      this.end.took(events);
      batch.events.push(...events);
      for (const { id } of events) batch.ids.add(id);
      batch.taken.push({ waiter, id: events[0]?.id ?? '' });
    }
    return batch;
  }

  private refuseOverdue(): void {
    const now = this.clock.monotonic();
    for (const waiter of this.waiting) {
      if (waiter.deadline <= now) this.done(waiter, (settle) => settle.reject(overdue()));
    }
  }

  private done(waiter: Waiter, settle: (promise: PromiseWithResolvers<Appended>) => void): void {
    this.waiting.delete(waiter);
    settle(waiter.settle);
  }
}

/** Knows where the stream ends and nothing of what is in it. */
class LastRevision implements StreamEnd {
  known: bigint | 'none' | undefined;

  constructor(
    private readonly store: Pick<EventStore, 'read'>,
    private readonly stream: StreamName,
  ) {}

  async read(): Promise<bigint | 'none'> {
    this.known = 'none';
    for await (const { revision } of this.store.read(this.stream, { backwards: true, limit: 1 }))
      this.known = revision;
    return this.known;
  }

  begin(): void {
    // Nothing of a batch is looked at.
  }

  took(): void {
    // Nothing of a batch is looked at.
  }

  stored(revision: bigint): void {
    this.known = revision;
  }

  lost(): void {
    this.known = undefined;
  }
}

/**
 * The store checks an append as a whole; this checks one waiter's events, so that an invalid one
 * fails no other waiter.
 * @param taken ids of events that are in the batch already
 * @throws InvalidEventError
 */
function validateOwn(
  events: readonly ProposedEvent[],
  taken: ReadonlySet<string>,
): readonly ProposedEvent[] {
  if (events.length === 0) throw new InvalidEventError('An append needs at least one event');
  const ids = new Set(events.map(({ id }) => id));
  if (ids.size < events.length || [...ids].some((id) => taken.has(id))) {
    throw new InvalidEventError('Two events of one append have the same id');
  }
  return events.map(validateEvent);
}

function overdue(cause?: unknown): FootnoteError {
  return new FootnoteError(
    'engine_unavailable',
    'The event log did not answer in time; repeat the request',
    {
      retryAfter: 1,
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
