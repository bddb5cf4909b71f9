import type { StreamName } from '#contracts';

import type { ExpectedRevision } from '../event-store.port.js';

/** The stream was not in the state that the append expected; nothing was written. */
export class WrongExpectedRevisionError extends Error {
  readonly code = 'wrong_expected_revision';

  constructor(
    readonly stream: StreamName,
    readonly expected: ExpectedRevision,
    /** Revision of the stream's last event, or `none` for a stream without events. */
    readonly actual: 'none' | bigint,
  ) {
    super(`${stream} was expected at revision ${expected} and is at ${actual}`);
    this.name = 'WrongExpectedRevisionError';
  }
}

/** Recognises the conflict by its code, so that it holds across copies of this module. */
export function isWrongExpectedRevision(error: unknown): error is WrongExpectedRevisionError {
  return error instanceof Error && 'code' in error && error.code === 'wrong_expected_revision';
}
