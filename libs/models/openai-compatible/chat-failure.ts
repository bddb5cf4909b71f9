import { type FailureKind, ModelError } from '../model-error.js';

/** The state of an answer when it failed. */
export interface FailedAnswer {
  /** True if a part of it had arrived. */
  readonly begun: boolean;
  /** Maximum time of an answer in milliseconds, if it was exceeded. */
  readonly overdueMs: number | undefined;
}

/** Returns the failure in a form that says what the asking person can do about it, if anything. */
export function chatFailure(error: ModelError, { begun, overdueMs }: FailedAnswer): ModelError {
  const failure = (kind: FailureKind, message: string): ModelError =>
    new ModelError(message, { kind, statusCode: error.statusCode, cause: error });
  if (error.kind === 'too_large') {
    return failure(
      'too_large',
      'The passages and the question are larger than the context of the chat model; ask with a smaller max_context_tokens',
    );
  }
  if (overdueMs !== undefined) {
    const what = begun ? 'end its answer' : 'begin to answer';
    return failure('too_slow', `The chat model did not ${what} within ${overdueMs / 1_000} s`);
  }
  const brokeOff = begun && error.kind === 'transient' && error.statusCode === undefined;
  return brokeOff
    ? failure('transient', 'The chat model stopped in the middle of its answer')
    : error;
}
