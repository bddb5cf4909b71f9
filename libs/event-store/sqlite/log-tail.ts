import type { RecordedEvent } from '#contracts';

import type { SubscriptionFilter } from '../event-store.port.js';
import type { LogRow } from './log-protocol.js';
import { categoryOf } from './log-schema.js';
import { decodeRow } from './row-codec.js';

/** Limits of the tail; when one of them is reached, the oldest events are removed. */
export interface TailBounds {
  readonly events: number;
  /**
   * Memory of the events' texts, with a fixed amount per event. Decoded events take about as much
   * again.
   */
  readonly bytes: number;
}

const BOUNDS: TailBounds = { events: 4_096, bytes: 4 * 1024 * 1024 };
/** Approximate memory of an event besides its texts. */
const EVENT_BYTES = 400;

/**
 * An event of the tail. It is decoded on first use and then shared by all readers, so it must not
 * be changed.
 */
export class TailEvent {
  readonly position: number;
  readonly type: string;
  readonly category: string;
  readonly bytes: number;
  private row: LogRow | null;
  private decoded: RecordedEvent | null = null;

  constructor(row: LogRow) {
    this.row = row;
    this.position = row.position;
    this.type = row.type;
    this.category = categoryOf(row.stream);
    this.bytes = EVENT_BYTES + 2 * (row.data.length + row.metadata.length);
  }

  /** Returns the event, frozen deeply, so that no reader can change what another one reads. */
  get event(): RecordedEvent {
    if (this.row) {
      this.decoded = deepFreeze(decodeRow(this.row));
      this.row = null;
    }
    return this.decoded as RecordedEvent;
  }
}

/** A range of the log: its events that pass the filter, and its end. */
export interface TailPage {
  readonly events: readonly TailEvent[];
  /** Every event up to here was considered. */
  readonly considered: number;
  /** True if nothing follows `considered` at present. */
  readonly atHead: boolean;
}

/**
 * The newest events of the log, for all subscriptions of this process. Readers that are not further
 * behind read here and do not use the log's thread. Positions have no gap. A slow reader does not
 * delay the removal of old events: once they are removed, it reads them from the log.
 */
export class LogTail {
  private readonly kept = new Map<number, TailEvent>();
  private bytes = 0;
  /** Position of the oldest event kept; one after the newest if there is none. */
  private first: number;

  /** @param head position of the newest event of the log. */
  constructor(
    private head: number,
    private readonly bounds: TailBounds = BOUNDS,
  ) {
    this.first = head + 1;
  }

  /** Position of the newest event. */
  get last(): number {
    return this.head;
  }

  /** Returns the current size, in the units of the bounds. */
  get size(): TailBounds {
    return { events: this.kept.size, bytes: this.bytes };
  }

  /**
   * Adds an event that follows the newest one.
   * @throws RangeError if it does not, since readers must not read across a gap.
   */
  add(row: LogRow): void {
    if (row.position !== this.head + 1) {
      throw new RangeError(`The event at ${row.position} does not follow the one at ${this.head}`);
    }
    const event = new TailEvent(row);
    this.kept.set(event.position, event);
    this.head = event.position;
    this.bytes += event.bytes;
    while (this.kept.size > this.bounds.events || this.bytes > this.bounds.bytes) this.dropFirst();
  }

  /**
   * Moves the end to `head` past events that are unknown here. The kept events would end in a gap,
   * so they are discarded.
   */
  skipTo(head: number): void {
    this.kept.clear();
    this.bytes = 0;
    this.head = head;
    this.first = head + 1;
  }

  /**
   * Returns the events after `after`, up to `limit` that pass; null if they are not kept and the
   * log must be read.
   */
  page(after: number, wanted: (event: TailEvent) => boolean, limit: number): TailPage | null {
    if (after + 1 < this.first) return null;
    const events: TailEvent[] = [];
    let considered = after;
    while (considered < this.head && events.length < limit) {
      considered += 1;
      const event = this.kept.get(considered);
      if (event && wanted(event)) events.push(event);
    }
    return { events, considered, atHead: considered >= this.head };
  }

  private dropFirst(): void {
    this.bytes -= this.kept.get(this.first)?.bytes ?? 0;
    this.kept.delete(this.first);
    this.first += 1;
  }
}

/** Returns a predicate for the filter. */
export function passes({ types, categories }: SubscriptionFilter = {}): (
  event: TailEvent,
) => boolean {
  const wantedTypes = types && new Set(types);
  const wantedCategories = categories && new Set(categories);
  return ({ type, category }) =>
    (wantedTypes?.has(type) ?? true) && (wantedCategories?.has(category) ?? true);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
