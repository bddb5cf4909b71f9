import { FootnoteError } from '#contracts';

/**
 * The reaction to a failed request:
 * - `transient`: wait and repeat; the model has a problem.
 * - `limited`: wait and repeat; there were too many requests.
 * - `too_large`, `too_slow` (no answer in time): request less at once.
 * - `bad_answer`: repeat once.
 * - `refused`: give up.
 */
export type FailureKind =
  'transient' | 'limited' | 'too_large' | 'too_slow' | 'bad_answer' | 'refused';

export interface ModelErrorOptions {
  /** Default `transient`. */
  readonly kind?: FailureKind;
  /** HTTP status of the endpoint's last answer, if there was one. */
  readonly statusCode?: number | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A model returned no usable answer. Clients see an unavailable engine; the message contains no
 * text or address.
 */
export class ModelError extends FootnoteError {
  readonly kind: FailureKind;
  /** True if a retry cannot help, because the model rejects the request. */
  readonly permanent: boolean;
  readonly statusCode: number | undefined;

  constructor(
    message: string,
    { kind = 'transient', statusCode, retryAfter, cause }: ModelErrorOptions = {},
  ) {
    const permanent = kind === 'refused' || kind === 'too_large';
    super('engine_unavailable', message, {
      retryAfter: retryAfter ?? (permanent ? 300 : 5),
      cause,
    });
    this.kind = kind;
    this.permanent = permanent;
    this.statusCode = statusCode;
  }
}

export function isModelError(error: unknown): error is ModelError {
  return error instanceof ModelError;
}
