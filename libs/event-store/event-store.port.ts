import type { Position, ProposedEvent, RecordedEvent, StreamName } from '#contracts';

/** The state that a stream must have for an append: empty, non-empty, any, or an exact revision. */
export type ExpectedRevision = 'none' | 'exists' | 'any' | bigint;

export interface AppendResult {
  /** Revision of the last event of the append. */
  readonly revision: bigint;
  /** Position of the last event of the append. */
  readonly position: Position;
}

export interface ReadOptions {
  /** First revision to return, inclusive. Default: the start, or the end when backwards. */
  readonly from?: bigint;
  readonly backwards?: boolean;
  readonly limit?: number;
}

/**
 * The events that a subscription delivers; both parts must match. Absent parts match everything.
 */
export interface SubscriptionFilter {
  readonly types?: readonly string[];
  /** Stream categories: the part of the name before the first `-`. */
  readonly categories?: readonly string[];
}

export type SubscriptionDelivery =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /**
   * No event that passes the filter will come at or before this position. A reader that stores it
   * need not rescan filtered events after a restart. Checkpoints come occasionally, not necessarily
   * before `caught-up`, or not at all.
   */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  /** The history is delivered; live events follow. */
  | { readonly kind: 'caught-up' };

export interface SubscribeOptions {
  /**
   * Delivers events after this position, exclusive. A position that the log has not reached causes
   * a PositionAheadError.
   */
  readonly after: Position | 'start';
  readonly filter?: SubscriptionFilter;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/**
 * The log. Appends are all or nothing, and durable when they resolve.
 *
 * Idempotence: an append with an exact revision or `none` may be repeated. If its ids already
 * follow the expected revision in order, it succeeds again with the first result. The same first id
 * with other events after it is a `corrupted_idempotency` error. Any other mismatch is a
 * `wrong_expected_revision` error (see `isWrongExpectedRevision`). A timeout is an unknown outcome:
 * repeat with the same ids and expectation.
 */
export interface EventStore {
  append(
    stream: StreamName,
    events: readonly ProposedEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult>;
  /**
   * Returns the events of one stream in revision order (or reversed); none for a stream that does
   * not exist.
   */
  read(stream: StreamName, options?: ReadOptions): AsyncIterable<RecordedEvent>;
  /**
   * Subscribes to the whole log, in position order, without gaps: history first, then live. Each
   * delivery with a position is past the one before. So a reader that stores the last reported
   * position and resumes after it misses nothing.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionDelivery>;
  /** Returns the position of the newest event, or null for an empty log. */
  head(): Promise<Position | null>;
  /**
   * Reports whether the log still reaches a position that it handed out; false if the event there
   * is lost.
   */
  reaches(position: Position): Promise<boolean>;
  /**
   * Raised if subscriptions of an earlier adapter version may have skipped events, so that derived
   * state must be rebuilt. 1 if that never happened.
   */
  readonly deliveryVersion: number;
  close(): Promise<void>;
}

/** Injection token of the port. */
export const EVENT_STORE = Symbol('EventStore');
