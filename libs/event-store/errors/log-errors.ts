import type { Position, RecordedEvent } from '#contracts';

/**
 * A stored event of a known type that this version cannot read: a newer schema version, or data
 * that does not fit its schema. Whoever handles the type stops here rather than guess, and goes on
 * after the upgrade.
 */
export class UnreadableEventError extends Error {
  readonly code = 'unreadable_event';
  readonly type: string;
  readonly version: number;
  readonly stream: string;
  readonly revision: bigint;

  constructor(event: RecordedEvent, reason: string, options: { readonly cause?: unknown } = {}) {
    const { type, stream, revision } = event;
    const version = event.metadata.schema_version;
    super(
      `${type} version ${version} at ${stream} revision ${revision} cannot be read: ${reason}`,
      options,
    );
    this.name = 'UnreadableEventError';
    this.type = type;
    this.version = version;
    this.stream = stream;
    this.revision = revision;
  }
}

export function isUnreadableEvent(error: unknown): error is UnreadableEventError {
  return error instanceof Error && 'code' in error && error.code === 'unreadable_event';
}

/**
 * A subscription delivered something at or before a place that it had told already. Who stored that
 * place would take an event for known that it never saw; so the subscription ends, and is taken up
 * from what is stored.
 */
export class DeliveryOrderError extends Error {
  readonly code = 'delivery_out_of_order';

  constructor(
    /** Where the delivery stands. */
    readonly position: Position,
    /** The place that was told before. */
    readonly told: Position,
    /**
     * The last event before it, or where the subscription began: whoever goes on after that gets
     * what was passed over.
     */
    readonly since: Position | 'start',
  ) {
    super(`The event log delivered position ${position} after it had told of ${told}`);
    this.name = 'DeliveryOrderError';
  }
}

export function isDeliveryOrder(error: unknown): error is DeliveryOrderError {
  return error instanceof Error && 'code' in error && error.code === 'delivery_out_of_order';
}

/**
 * A reader wants to go on after a position that the log has not reached: its checkpoint witnesses
 * events that the log has lost, as after restoring an older backup. What the reader made of them
 * must be built again.
 */
export class PositionAheadError extends Error {
  readonly code = 'position_ahead';

  constructor(
    readonly position: Position,
    /** Newest event of the log; null on an empty log. */
    readonly head: Position | null,
    /** What the log is called: its server's hosts, or its folder. */
    readonly log?: string,
  ) {
    const named = log === undefined ? '' : ` (${log})`;
    const end = head === null ? 'is empty' : `ends at ${head}`;
    super(`Position ${position} is ahead of the event log${named}, which ${end}`);
    this.name = 'PositionAheadError';
  }
}

export function isPositionAhead(error: unknown): error is PositionAheadError {
  return error instanceof Error && 'code' in error && error.code === 'position_ahead';
}

/**
 * The log on disk is not what was acknowledged: records are missing, changed or out of order. The
 * store refuses to open (or, when it is found while running, stops); only a restore from backup
 * helps.
 */
export class LogDamagedError extends Error {
  readonly code = 'log_damaged';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'LogDamagedError';
  }
}

export function isLogDamaged(error: unknown): error is LogDamagedError {
  return error instanceof Error && 'code' in error && error.code === 'log_damaged';
}

/**
 * The disk under the log failed, or its thread died. The process must end: a database that carries
 * on after a failed fsync acknowledges writes that are worth nothing. Every pending and later call
 * is rejected with this error.
 */
export class LogFailedError extends Error {
  readonly code = 'log_failed';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'LogFailedError';
  }
}

export function isLogFailed(error: unknown): error is LogFailedError {
  return error instanceof Error && 'code' in error && error.code === 'log_failed';
}
