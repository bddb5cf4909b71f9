import { type FailureKind, ModelError } from '../model-error.js';

/** How far an answer had come when it failed. */
export interface FailedAnswer {
  /** Some of it was there. */
  readonly begun: boolean;
  /** Set where its time was up: the longest that an answer may take, milliseconds. */
  readonly overdueMs: number | undefined;
}

/**
 * The failure in words that say what a person who asks can do about it, where there is something.
 */
export function chatFailure(error: ModelError, { begun, overdueMs }: FailedAnswer): ModelError {
  const said = (kind: FailureKind, message: string): ModelError =>
    new ModelError(message, { kind, statusCode: error.statusCode, cause: error });
  if (error.kind === 'too_large') {
    return said(
      'too_large',
      'The passages and the question are more than the chat model reads at a time; ask with a smaller max_context_tokens.',
    );
  }
  if (overdueMs !== undefined) {
    const what = begun ? 'end its answer' : 'begin to answer';
    return said(
      'too_slow',
      `The chat model did not ${what} within the ${overdueMs / 1_000} s that it is given.`,
    );
  }
  const brokeOff = begun && error.kind === 'transient' && error.statusCode === undefined;
  return brokeOff
    ? said('transient', 'The chat model broke off in the middle of its answer.')
    : error;
}
