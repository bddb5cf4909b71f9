import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

import { FootnoteError, isFootnoteError } from '#contracts';
import { isPostgresAway, isPostgresFull, tlsFailure } from '#platform';

/**
 * Runs work on the read models and converts engine errors of any driver. An unreachable engine
 * becomes `engine_unavailable`, a full disk `storage_full`.
 */
export async function onEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asEngineError(error);
  }
}

function asEngineError(error: unknown): unknown {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (isFootnoteError(cause)) return cause;
  if (isPostgresFull(cause))
    return new FootnoteError(
      'storage_full',
      'The disk of the read models is full; free space, then repeat the request',
      { cause },
    );
  if (!brokeBetweenStatements(cause) && !isPostgresAway(cause))
    return tlsFailure('PostgreSQL', cause) ?? error;
  return new FootnoteError(
    'engine_unavailable',
    'The read models are unavailable; repeat the request',
    {
      retryAfter: 1,
      cause,
    },
  );
}

/**
 * Reports whether a connection ended between two statements of a transaction. TypeORM then releases
 * it and rejects the second statement.
 */
function brokeBetweenStatements(error: unknown): boolean {
  return (
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
  );
}
