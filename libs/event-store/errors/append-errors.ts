import type { StreamName } from '#contracts';

import type { ExpectedRevision } from '../event-store.port.js';

/** The stream was not in the state that the append expected. Nothing was written. */
export class WrongExpectedRevisionError extends Error {
  readonly code = 'wrong_expected_revision';

  constructor(
    readonly stream: StreamName,
    readonly expected: ExpectedRevision,
    /** Revision of the stream's last event, or `none` for a stream without events. */
    readonly actual: 'none' | bigint,
  ) {
    super(`${stream} must be at revision ${expected} (is at ${actual})`);
    this.name = 'WrongExpectedRevisionError';
  }
}

/** Recognizes the conflict by its code, so that it works across copies of this module. */
export function isWrongExpectedRevision(error: unknown): error is WrongExpectedRevisionError {
  return error instanceof Error && 'code' in error && error.code === 'wrong_expected_revision';
}

/**
 * A repeated append begins with an id that follows the expected revision, but continues with other
 * events. The caller reused a command id for another command: a bug, never to be retried.
 */
export class CorruptedIdempotencyError extends Error {
  readonly code = 'corrupted_idempotency';

  constructor(
    readonly stream: StreamName,
    readonly firstEventId: string,
  ) {
    super(
      `${stream} already contains event ${firstEventId}, followed by events that differ from this append`,
    );
    this.name = 'CorruptedIdempotencyError';
  }
}

export function isCorruptedIdempotency(error: unknown): error is CorruptedIdempotencyError {
  return error instanceof Error && 'code' in error && error.code === 'corrupted_idempotency';
}

/**
 * The store did not answer in time or the connection broke, so the append may or may not have
 * happened. Repeat it with the same ids and the same expectation; idempotence makes that safe.
 */
export class OutcomeUnknownError extends Error {
  readonly code = 'outcome_unknown';

  constructor(
    readonly stream: StreamName,
    reason: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(`The outcome of the append to ${stream} is unknown: ${reason}`, options);
    this.name = 'OutcomeUnknownError';
  }
}

export function isOutcomeUnknown(error: unknown): error is OutcomeUnknownError {
  return error instanceof Error && 'code' in error && error.code === 'outcome_unknown';
}

/**
 * An event passed to `append` must never be stored: its type is undeclared, or its data does not
 * match its schema. A bug.
 */
export class InvalidEventError extends Error {
  readonly code = 'invalid_event';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'InvalidEventError';
  }
}

export function isInvalidEvent(error: unknown): error is InvalidEventError {
  return error instanceof Error && 'code' in error && error.code === 'invalid_event';
}
