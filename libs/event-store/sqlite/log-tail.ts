import type { RecordedEvent } from '#contracts';

import type { SubscriptionFilter } from '../event-store.port.js';
import type { LogRow } from './log-protocol.js';
import { categoryOf } from './log-schema.js';
import { decodeRow } from './row-codec.js';

/** What is kept at most; whichever bound is met first lets the oldest go. */
export interface TailBounds {
  readonly events: number;
  /**
   * Of the events' texts in memory and what an event takes beside them; decoded they take about as
   * much.
   */
  readonly bytes: number;
}

const BOUNDS: TailBounds = { events: 4_096, bytes: 4 * 1024 * 1024 };
/** About what an event takes beside its texts. */
const EVENT_BYTES = 400;

/**
 * An event of the tail, decoded when it is first wanted and then shared by all that want it: it
 * must not be changed.
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

  /** Frozen through and through, so that no reader can change what another one reads. */
  get event(): RecordedEvent {
    if (this.row) {
      this.decoded = deepFreeze(decodeRow(this.row));
      this.row = null;
    }
    return this.decoded as RecordedEvent;
  }
}

/** A stretch of the log: what of it passes the filter, and how far it goes. */
export interface TailPage {
  readonly events: readonly TailEvent[];
  /** Every event up to here was considered. */
  readonly considered: number;
  /** Nothing comes after `considered` for now. */
  readonly atHead: boolean;
}

/**
 * The newest events of the log, for all subscriptions of this process: whoever is not further
 * behind reads here and asks nothing of the log's thread. Positions in it have no gap, and a reader
 * that is slow keeps nothing in it: the oldest events leave when the bounds are met, and who has
 * not read them reads the log.
 */
export class LogTail {
  private readonly kept = new Map<number, TailEvent>();
  private bytes = 0;
  /** Position of the oldest event kept; one after the newest when there is none. */
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

  /** How much is kept, by the measure of the bounds. */
  get size(): TailBounds {
    return { events: this.kept.size, bytes: this.bytes };
  }

  /**
   * Takes what was written right after the newest. @throws RangeError when it was not: a gap must
   * not be read over.
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
   * The log goes up to `head`, by events that are not known here: what is kept ends in a gap, and
   * is forgotten.
   */
  skipTo(head: number): void {
    this.kept.clear();
    this.bytes = 0;
    this.head = head;
    this.first = head + 1;
  }

  /**
   * What follows `after`, up to `limit` events that pass; null when it is not kept, and the log has
   * to be read.
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

/** The filter as a question about one event. */
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
