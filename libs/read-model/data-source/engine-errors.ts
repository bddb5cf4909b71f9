import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

import { FootnoteError, isFootnoteError } from '#contracts';
import { isPostgresAway, isPostgresFull, tlsFailure } from '#platform';

/**
 * Runs work on the read models; an engine that is away becomes `engine_unavailable`, and one whose
 * disk is full `storage_full`, whatever shape its driver gave the error.
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
    return new FootnoteError('storage_full', 'The read models have no room left', { cause });
  if (!brokeBetweenStatements(cause) && !isPostgresAway(cause))
    return tlsFailure('PostgreSQL', cause) ?? error;
  return new FootnoteError('engine_unavailable', 'The read models cannot be reached', {
    retryAfter: 1,
    cause,
  });
}

/**
 * TypeORM gives a connection back that ends between two statements of a transaction, and refuses
 * the second.
 */
function brokeBetweenStatements(error: unknown): boolean {
  return (
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
  );
}
