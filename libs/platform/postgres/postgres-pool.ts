import { Pool } from 'pg';

import { FootnoteError } from '#contracts';

import type { Logger } from '../logging/logger.js';
import { tlsFailure } from '../tls/tls-failure.js';
import { isPostgresAway, isPostgresFull } from './postgres-errors.js';

export interface PostgresPoolOptions {
  /** `postgres://…`. */
  readonly url: string;
  /** What the server lists the connections as. */
  readonly name: string;
  /** Connections at most. */
  readonly size: number;
  readonly logger: Logger;
}

/** A bounded pool whose waits for a connection and for an answer end in time. */
export function openPostgresPool({ url, name, size, logger }: PostgresPoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: name,
    max: size,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    idle_in_transaction_session_timeout: 30_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  pool.on('error', (error) =>
    logger.warn({ error: String(error) }, `a connection of ${name} failed`),
  );
  return pool;
}

/**
 * Runs work on PostgreSQL; a server that is away becomes `engine_unavailable`, a full disk
 * `storage_full`.
 */
export async function onPostgres<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isPostgresFull(cause))
      throw new FootnoteError('storage_full', `${what} has no room left`, { cause });
    if (!isPostgresAway(cause)) throw tlsFailure('PostgreSQL', cause) ?? cause;
    throw new FootnoteError('engine_unavailable', `${what} cannot be reached`, {
      retryAfter: 1,
      cause,
    });
  }
}
