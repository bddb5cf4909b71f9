import { FootnoteError } from '#contracts';
// Imported by its path, because the thread starts before the rest of the library is loaded.
import {
  SMALL_YOUNG_GENERATION,
  ThreadClient,
  type ThreadTrouble,
} from '#platform/concurrency/thread-client';
import type { Fault } from '#platform/concurrency/thread-protocol';

import type { PgliteRequest, PgliteResult } from './pglite-protocol.js';

const CLOSE_TIMEOUT_MS = 10_000;

export interface PgliteSessionOptions {
  /** The folder of PGlite's files; created if missing. */
  readonly directory: string;
  /**
   * Milliseconds that opening may take. Default 60,000: a first start without a prepared image runs
   * initdb.
   */
  readonly openTimeoutMs?: number;
  /** Milliseconds that one statement may take. Default 120,000. */
  readonly statementTimeoutMs?: number;
}

/**
 * The one session of a PGlite in a worker thread. It executes statements in order and does not
 * track transactions, so lend it exclusively (`ExclusivePool`).
 */
export class PgliteSession {
  private constructor(
    private readonly thread: ThreadClient<PgliteRequest>,
    private readonly statementTimeoutMs: number,
  ) {}

  /** @throws Error if the folder cannot be opened in time; then the thread has ended. */
  static async open(options: PgliteSessionOptions): Promise<PgliteSession> {
    const { directory, openTimeoutMs = 60_000, statementTimeoutMs = 120_000 } = options;
    const entry = new URL('./pglite.worker.js', import.meta.url);
    const thread = new ThreadClient<PgliteRequest>({
      entry,
      name: 'pglite',
      workerData: { directory },
      resourceLimits: SMALL_YOUNG_GENERATION,
      // `ExclusivePool` limits the number of waiting callers.
      maxPending: Infinity,
      errorFor,
      errorOf: (fault) => new DatabaseError(fault),
    });
    await thread.opened({ timeoutMs: openTimeoutMs });
    return new PgliteSession(thread, statementTimeoutMs);
  }

  /** Resolves with the reason when the thread dies; no query is answered after that. */
  get died(): Promise<Error> {
    return this.thread.died;
  }

  /**
   * @throws DatabaseError with Postgres' `code`; FootnoteError `engine_unavailable` if the thread
   * died or is late.
   */
  query(sql: string, parameters: readonly unknown[] = [], first?: string): Promise<PgliteResult> {
    return this.thread.ask(
      { kind: 'query', sql, parameters, ...(first !== undefined && { first }) },
      { timeoutMs: this.statementTimeoutMs },
    );
  }

  /**
   * Ends the thread after a shutdown of PGlite, or without one if that takes longer than ten
   * seconds.
   */
  async close(): Promise<void> {
    await this.thread
      .close({ kind: 'close' }, { timeoutMs: CLOSE_TIMEOUT_MS })
      .catch(() => undefined);
  }
}

/** An error that Postgres reported; `code` is its SQLSTATE. */
class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly constraint: string | undefined;

  constructor({ message, fields: { code, detail, constraint } }: Fault) {
    super(message);
    this.name = 'DatabaseError';
    this.code = typeof code === 'string' ? code : undefined;
    this.detail = typeof detail === 'string' ? detail : undefined;
    this.constraint = typeof constraint === 'string' ? constraint : undefined;
  }
}

function errorFor(_: ThreadTrouble, cause: Error): Error {
  return new FootnoteError(
    'engine_unavailable',
    'The read models are unavailable; repeat the request',
    {
      retryAfter: 1,
      cause,
    },
  );
}
