import { type FailureDetails, FootnoteError, isStageFailure, packageProblemOf } from '#contracts';

/**
 * Converts the error of a failed package look-up for the caller; any other error stays as it is.
 */
export function asPackageError(error: unknown): unknown {
  const problem = packageProblemOf(error);
  if (problem === undefined || !isStageFailure(error)) return error;
  const { retryAfterMs } = error;
  return new FootnoteError(problem, error.message, {
    cause: error,
    ...(retryAfterMs === undefined
      ? {}
      : { retryAfter: Math.max(1, Math.ceil(retryAfterMs / 1_000)) }),
  });
}

/**
 * The same of a failed job. A failure that says nothing of packages is one of reading what the
 * registry sent.
 */
export function jobFailure(message: string, details: FailureDetails | null): FootnoteError {
  return new FootnoteError(packageProblemOf(details) ?? 'package_unreadable', message);
}
