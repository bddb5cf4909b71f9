import type { Position, ProposedEvent, RecordedEvent, StreamName } from '#contracts';

/**
 * The state a stream must be in for an append: empty, non-empty, whatever, or exactly at a
 * revision.
 */
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

/** Which events a subscription delivers; both parts must match. Absent parts match everything. */
export interface SubscriptionFilter {
  readonly types?: readonly string[];
  /** Stream categories, the part of the name before the first `-`. */
  readonly categories?: readonly string[];
}

export type SubscriptionDelivery =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /**
   * Nothing that passes the filter will come at or before here; store it, so that a restart need
   * not rescan what the filter left out. It comes now and then, and need not come right before
   * `caught-up`, nor at all.
   */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  /** History is delivered; what follows is live. */
  | { readonly kind: 'caught-up' };

export interface SubscribeOptions {
  /**
   * Deliver what comes after this position, exclusive. A position that the log has not reached is a
   * PositionAheadError.
   */
  readonly after: Position | 'start';
  readonly filter?: SubscriptionFilter;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/**
 * The log. Appends are all or nothing and durable when they resolve.
 *
 * Idempotence: an append with an exact revision or `none` whose ids already stand, in order, right
 * after the expected revision succeeds again with the first result. The same first id with a
 * different rest is a `corrupted_idempotency` error; anything else that does not fit is a
 * `wrong_expected_revision` error (see `isWrongExpectedRevision`). A time-out is an unknown
 * outcome: repeat with the same ids and expectation.
 */
export interface EventStore {
  append(
    stream: StreamName,
    events: readonly ProposedEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult>;
  /**
   * Events of one stream in revision order (or reversed); a stream that does not exist yields
   * nothing.
   */
  read(stream: StreamName, options?: ReadOptions): AsyncIterable<RecordedEvent>;
  /**
   * Catch-up subscription over the whole log, in position order, without gaps: history first, then
   * live. Each delivery that has a place is past the one before: a reader that stores the last
   * place it was told and goes on after it misses nothing.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionDelivery>;
  /** Position of the newest event, or null on an empty log. */
  head(): Promise<Position | null>;
  /**
   * Whether the log goes as far as a position that it handed out; false where it has lost what
   * stood there.
   */
  reaches(position: Position): Promise<boolean>;
  /**
   * Raised when subscriptions of an earlier version of the adapter may have left events out: what
   * was made of those is to be made anew. 1 where that never happened.
   */
  readonly deliveryVersion: number;
  close(): Promise<void>;
}

/** Injection token of the port. */
export const EVENT_STORE = Symbol('EventStore');
