/**
 * The log on disk is not what was acknowledged: records are missing, changed or out of order. The store refuses to open
 * (or, when it is found while running, stops); only a restore from backup helps.
 */
export class LogDamagedError extends Error {
  readonly code = 'log_damaged';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'LogDamagedError';
  }
}

export function isLogDamaged(error: unknown): error is LogDamagedError {
  return error instanceof Error && 'code' in error && error.code === 'log_damaged';
}
