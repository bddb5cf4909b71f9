import { Pool } from 'pg';

import { FootnoteError } from '#contracts';

import type { Logger } from '../logging/logger.js';
import { tlsFailure } from '../tls/tls-failure.js';
import { isPostgresAway, isPostgresFull } from './postgres-errors.js';

export interface PostgresPoolOptions {
  /** `postgres://…`. */
  readonly url: string;
  /** Name of the connections in the server's listing. */
  readonly name: string;
  /** Maximum number of connections. */
  readonly size: number;
  readonly logger: Logger;
}

/** Opens a bounded pool with timeouts for connections and answers. */
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
    logger.warn(
      { error: String(error) },
      `${name}: a connection failed; reconnecting on the next query`,
    ),
  );
  return pool;
}

/**
 * Runs work on PostgreSQL; an unavailable server becomes `engine_unavailable`, a full disk
 * `storage_full`.
 */
export async function onPostgres<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isPostgresFull(cause))
      throw new FootnoteError('storage_full', `${what} has no room left`, { cause });
    if (!isPostgresAway(cause)) throw tlsFailure('PostgreSQL', cause) ?? cause;
    throw new FootnoteError('engine_unavailable', `${what} is unavailable; repeat the request`, {
      retryAfter: 1,
      cause,
    });
  }
}
