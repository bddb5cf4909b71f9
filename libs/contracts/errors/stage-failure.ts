/** Details of a failed job; `url` never contains credentials. */
export interface FailureDetails {
  readonly url?: string | undefined;
  readonly status_code?: number | undefined;
  /** Set if the source exceeds a limit of this service. */
  readonly too_large?: true | undefined;
  readonly [key: string]: unknown;
}

export interface StageFailureOptions {
  readonly cause?: unknown;
  /** Minimum wait before the next attempt, as requested by a server. Milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The reason why an attempt of a stage failed. `retryable` is true for transient failures: network,
 * 5xx, an unavailable engine. It is false for permanent ones: 404, rejected authentication, not a
 * repository. The message is a sentence for people.
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
