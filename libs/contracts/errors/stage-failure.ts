/** Details that a failed job shows; `url` never carries credentials. */
export interface FailureDetails {
  readonly url?: string | undefined;
  readonly status_code?: number | undefined;
  readonly [key: string]: unknown;
}

export interface StageFailureOptions {
  readonly cause?: unknown;
  /** The next attempt is not due before: what a server asked for. Milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Why an attempt of a stage failed. `retryable` tells a failure that may pass (network, 5xx, an engine away) from one
 * that cannot (404, authentication refused, not a repository). The message is a sentence for people.
 */
export class StageFailure extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    readonly retryable: boolean,
    readonly details: FailureDetails | null = null,
    options: StageFailureOptions = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'StageFailure';
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isStageFailure(error: unknown): error is StageFailure {
  return error instanceof Error && error.name === 'StageFailure' && 'retryable' in error;
}
