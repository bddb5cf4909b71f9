import type { Position, RecordedEvent } from '#contracts';

/**
 * A stored event of a known type that this version cannot read: its schema version is newer, or its
 * data does not match its schema. The reader of that type stops instead of guessing, and continues
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
 * A subscription delivered something at or before a position that it had already reported. A reader
 * that stored the reported position would treat an undelivered event as known. So the subscription
 * ends, and resumes from the stored position.
 */
export class DeliveryOrderError extends Error {
  readonly code = 'delivery_out_of_order';

  constructor(
    /** Position of the delivery. */
    readonly position: Position,
    /** The position that was reported before. */
    readonly previous: Position,
    /**
     * The last event before it, or the start of the subscription. A reader that resumes there gets
     * the skipped events.
     */
    readonly since: Position | 'start',
  ) {
    super(`The event log delivered position ${position} after it had reported ${previous}`);
    this.name = 'DeliveryOrderError';
  }
}

export function isDeliveryOrder(error: unknown): error is DeliveryOrderError {
  return error instanceof Error && 'code' in error && error.code === 'delivery_out_of_order';
}

/**
 * A reader resumes after a position that the log has not reached. Its checkpoint proves that the
 * log lost events, for example because an older backup was restored. State derived by that reader
 * must be rebuilt.
 */
export class PositionAheadError extends Error {
  readonly code = 'position_ahead';

  constructor(
    readonly position: Position,
    /** Newest event of the log; null on an empty log. */
    readonly head: Position | null,
    /** Name of the log: the hosts of its server, or its folder. */
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
 * The log on disk differs from what was acknowledged: records are missing, changed or out of order.
 * The store refuses to open, or stops if it is running. Only a restore from backup helps.
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
 * The disk under the log failed, or its thread died. The process must end: after a failed fsync,
 * acknowledgements of a database are worthless. Every pending and later call is rejected with this
 * error.
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
