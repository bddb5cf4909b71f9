/** Details that a failed job shows; `url` never carries credentials. */
export interface FailureDetails {
  readonly url?: string | undefined;
  readonly status_code?: number | undefined;
  readonly [key: string]: unknown;
}

/**
 * Why an attempt of a stage failed. `retryable` tells a failure that may pass (network, 5xx, an engine away) from one
 * that cannot (404, authentication refused, not a repository). The message is a sentence for people.
 */
export class StageFailure extends Error {
  constructor(
    message: string,
    readonly retryable: boolean,
    readonly details: FailureDetails | null = null,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'StageFailure';
  }
}

export function isStageFailure(error: unknown): error is StageFailure {
  return error instanceof Error && error.name === 'StageFailure' && 'retryable' in error;
}
