/** An event was handed to `append` that must never be stored: an undeclared type, or data that its schema refuses. A bug. */
export class InvalidEventError extends Error {
  readonly code = 'invalid_event';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'InvalidEventError';
  }
}

export function isInvalidEvent(error: unknown): error is InvalidEventError {
  return error instanceof Error && 'code' in error && error.code === 'invalid_event';
}
