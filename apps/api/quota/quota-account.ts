import type { ProposedEvent, RecordedEvent, StreamName } from '#contracts';
import {
  countOf,
  type PlacedQuotaEvent,
  quotaDecider,
  type QuotaState,
  withoutFuture,
  withoutOlder,
} from '#domain';
import { type EventStore, upcast } from '#event-store';
import { type Clock, TimeSlices } from '#platform';

import type { StreamEnd } from './batch-appender.js';

/** Difference that the clocks of processes may have, in milliseconds. */
const CLOCK_SKEW_MS = 600_000;
/** The longest window and the clock skew, in milliseconds; older events count nowhere. */
const KEPT_MS = 86_400_000 + CLOCK_SKEW_MS;

/** An event at its revision. */
type Placed = PlacedQuotaEvent & { readonly revision: bigint };

/**
 * The state of one quota stream in one process. It holds everything up to a revision that a window
 * may hold, and reservations for work that is not charged yet. It begins by reading the stream
 * backwards to the longest window's edge. After that it reads on from its position, and only when
 * another process may have written.
 */
export class QuotaAccount implements StreamEnd {
  /** Promised to work that is under way in this process. */
  reserved = 0;
  /** Time when the stream's end was read last, by the monotonic clock. */
  readAt = -Infinity;
  private folded: QuotaState = quotaDecider.initial;
  private revision: bigint | 'none' | undefined;
  private stale = true;
  /** True if it holds the consumptions, false if it holds the revision alone. */
  private counting = false;
  /** The same with what the batch being made will add. */
  private batch: QuotaState = quotaDecider.initial;
  private taken: ProposedEvent[] = [];
  private reading: Promise<bigint | 'none'> | undefined;

  constructor(
    private readonly store: Pick<EventStore, 'read'>,
    private readonly stream: StreamName,
    private readonly clock: Clock,
    /**
     * Returns whether any decision depends on consumptions: if not, no history is read and none is
     * held.
     */
    private readonly counts: () => boolean,
  ) {}

  get known(): bigint | 'none' | undefined {
    return this.stale || this.counts() !== this.counting ? undefined : this.revision;
  }

  /** As the stream is, as far as it is known here. */
  get state(): QuotaState {
    return this.folded;
  }

  /** State for the next event of the open batch. */
  get batchState(): QuotaState {
    return this.batch;
  }

  /** Number of consumptions in memory. */
  get size(): number {
    return countOf(this.folded.consumptions);
  }

  /** Callers of one moment share one reading. */
  read(): Promise<bigint | 'none'> {
    this.reading ??= this.catchUp().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /**
   * Drops consumptions that no window holds; those a wrong clock put into the future count from
   * now.
   */
  fitToClock(): void {
    const now = this.clock.now().getTime();
    const present = withoutFuture(this.folded.consumptions, now + CLOCK_SKEW_MS, now);
    const consumptions = withoutOlder(present, now - KEPT_MS);
    if (consumptions !== this.folded.consumptions) this.folded = { consumptions };
  }

  begin(): void {
    this.batch = this.folded;
    this.taken = [];
  }

  took(events: readonly ProposedEvent[]): void {
    this.taken.push(...events);
    this.batch = events.reduce((state, event) => evolve(state, placed(event, 0n)), this.batch);
  }

  stored(revision: bigint): void {
    const first = revision - BigInt(this.taken.length) + 1n;
    this.fold(this.taken.map((event, index) => placed(event, first + BigInt(index))));
    this.stale = false;
    this.fitToClock();
  }

  lost(): void {
    this.stale = true;
  }

  private async catchUp(): Promise<bigint | 'none'> {
    const startedAt = this.clock.monotonic();
    const counting = this.counts();
    if (this.revision === undefined || counting !== this.counting)
      await this.readBackwards(counting);
    else await this.readOn(this.revision);
    this.readAt = startedAt;
    this.stale = false;
    this.fitToClock();
    return this.revision ?? 'none';
  }

  private async readBackwards(counting: boolean): Promise<void> {
    const edge = this.clock.now().getTime() - KEPT_MS;
    const slices = new TimeSlices();
    const events: Placed[] = [];
    for await (const event of this.store.read(this.stream, { backwards: true })) {
      events.push(known(event));
      if (!counting || Date.parse(event.metadata.occurred_at) < edge) break;
      if (slices.isUsedUp) await slices.pause();
    }
    let folded = quotaDecider.initial;
    for (const event of counting ? events.toReversed() : []) {
      folded = evolve(folded, event);
      if (slices.isUsedUp) await slices.pause();
    }
    // All at once: nobody decides on a part of them.
    this.revision = events[0]?.revision ?? 'none';
    this.folded = folded;
    this.counting = counting;
  }

  private async readOn(revision: bigint | 'none'): Promise<void> {
    const slices = new TimeSlices();
    const from = revision === 'none' ? {} : { from: revision + 1n };
    for await (const event of this.store.read(this.stream, from)) {
      this.fold([known(event)]);
      if (slices.isUsedUp) await slices.pause();
    }
  }

  /** Each event once, whether it was read or appended here. */
  private fold(events: readonly Placed[]): void {
    for (const event of events) {
      if (
        this.revision !== undefined &&
        this.revision !== 'none' &&
        event.revision <= this.revision
      )
        continue;
      if (this.counting) this.folded = evolve(this.folded, event);
      this.revision = event.revision;
    }
  }
}

function evolve(state: QuotaState, event: PlacedQuotaEvent): QuotaState {
  return quotaDecider.evolve(state, event);
}

function known(event: RecordedEvent): Placed {
  return placed(upcast(event).event, event.revision);
}

/**
 * Returns what windows depend on: the receipts of a day's charges would take kilobytes each. Events
 * of unknown types advance the revision only.
 */
function placed(
  { id, type, data, metadata }: ProposedEvent | RecordedEvent,
  revision: bigint,
): Placed {
  const { metric, amount, consumption_id } = data;
  const at = Date.parse(metadata.occurred_at);
  return { id, type, data: { metric, amount, consumption_id }, revision, at } as unknown as Placed;
}
