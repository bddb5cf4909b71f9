/**
 * The disk under the log failed, or its thread died. The process must end: a database that carries on after a failed
 * fsync acknowledges writes that are worth nothing. Every pending and later call is rejected with this error.
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
