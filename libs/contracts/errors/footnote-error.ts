import type { RateLimit } from '../quota/quota-plan.js';
import { ERROR_CATALOGUE, type ErrorCode } from './catalogue.js';

/** One field that failed validation. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export interface FootnoteErrorOptions {
  readonly details?: readonly FieldProblem[];
  /** Seconds for `Retry-After`. */
  readonly retryAfter?: number;
  /** The exceeded limit, for the headers `RateLimit-*`. */
  readonly rateLimit?: RateLimit;
  readonly cause?: unknown;
}

/**
 * An error for clients: a stable code and a sentence for people. The message must not contain
 * internal details; the cause is only logged.
 */
export class FootnoteError extends Error {
  readonly details: readonly FieldProblem[] | undefined;
  readonly retryAfter: number | undefined;
  readonly rateLimit: RateLimit | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: FootnoteErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FootnoteError';
    this.details = options.details;
    this.retryAfter = options.retryAfter;
    this.rateLimit = options.rateLimit;
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }
}

/**
 * Recognizes the error by its code, so that this also works for copies of this module and
 * structured clones.
 */
export function isFootnoteError(error: unknown, code?: ErrorCode): error is FootnoteError {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return false;
  return code === undefined
    ? error.code in ERROR_CATALOGUE && error.name === 'FootnoteError'
    : error.code === code;
}
