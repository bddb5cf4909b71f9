import type { Position, ProposedEvent, RecordedEvent, StreamName } from '#contracts';
import type { AppendResult, EventStore, ReadOptions, SubscribeOptions, SubscriptionDelivery } from '#event-store';

const CHECKPOINT_EVERY = 100;

/** The log in memory, for specs of its readers: appends are taken as they come, without expectations. */
export class MemoryEventStore implements EventStore {
  deliveryVersion = 1;
  readonly events: RecordedEvent[] = [];
  private changed = Promise.withResolvers<void>();

  /** Records an event of a stream at the next position. */
  record(stream: StreamName, event: ProposedEvent): RecordedEvent {
    const revision = BigInt(this.events.filter((other) => other.stream === stream).length);
    return this.put({ ...event, stream, revision, position: at(this.events.length), recordedAt: new Date() });
  }

  /** Records an event with a revision of the caller's, for long histories. */
  put(event: RecordedEvent): RecordedEvent {
    this.events.push(event);
    this.changed.resolve();
    this.changed = Promise.withResolvers();
    return event;
  }

  async append(stream: StreamName, events: readonly ProposedEvent[]): Promise<AppendResult> {
    const last = events.map((event) => this.record(stream, event)).at(-1);
    if (!last) throw new Error('Nothing to append');
    return { revision: last.revision, position: last.position };
  }

  async *read(stream: StreamName, options: ReadOptions = {}): AsyncIterable<RecordedEvent> {
    if (options.backwards || options.limit !== undefined) throw new Error('Not in this fake');
    for (const event of this.events) {
      if (event.stream === stream && event.revision >= (options.from ?? 0n)) yield event;
    }
  }

  async *subscribe({ after, filter, signal }: SubscribeOptions): AsyncIterable<SubscriptionDelivery> {
    let next = after === 'start' ? 0 : Number(after) + 1;
    let live = false;
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    let quiet = 0;
    while (!signal.aborted) {
      const event = this.events[next];
      if (event) {
        next += 1;
        quiet += 1;
        if (!filter?.types || filter.types.includes(event.type)) {
          quiet = 0;
          yield { kind: 'event', event };
        } else if (quiet % CHECKPOINT_EVERY === 0) yield { kind: 'checkpoint', position: event.position };
        continue;
      }
      if (!live) {
        live = true;
        if (next > 0) yield { kind: 'checkpoint', position: at(next - 1) };
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
}

/** The position of the event with this index. */
export function at(index: number): Position {
  return String(index).padStart(20, '0') as Position;
}
