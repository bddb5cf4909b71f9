import type { StreamName } from '#contracts';

/**
 * A repeated append begins with an id that stands right after the expected revision, but goes on differently. The caller
 * reused a command id for another command: a bug, never to be retried.
 */
export class CorruptedIdempotencyError extends Error {
  readonly code = 'corrupted_idempotency';

  constructor(
    readonly stream: StreamName,
    readonly firstEventId: string,
  ) {
    super(`${stream} already holds event ${firstEventId}, followed by other events than this append carries`);
    this.name = 'CorruptedIdempotencyError';
  }
}

export function isCorruptedIdempotency(error: unknown): error is CorruptedIdempotencyError {
  return error instanceof Error && 'code' in error && error.code === 'corrupted_idempotency';
}
