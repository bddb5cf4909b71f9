import type { StreamName } from '#contracts';

/**
 * The store did not answer in time or the connection broke: the append may or may not have happened. Repeat it with the
 * same ids and the same expectation; idempotence makes that safe.
 */
export class OutcomeUnknownError extends Error {
  readonly code = 'outcome_unknown';

  constructor(
    readonly stream: StreamName,
    reason: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(`It is not known whether the append to ${stream} happened: ${reason}`, options);
    this.name = 'OutcomeUnknownError';
  }
}

export function isOutcomeUnknown(error: unknown): error is OutcomeUnknownError {
  return error instanceof Error && 'code' in error && error.code === 'outcome_unknown';
}
