import type { Logger } from '#platform';

import type { IdleVacuumPauses } from '../vacuum/idle-vacuum.js';

/**
 * PGlite in this process; it keeps its files in `directory`, which is dropped when it cannot be
 * read.
 */
export interface PgliteReadModel {
  readonly kind: 'pglite';
  readonly directory: string;
  readonly logger: Logger;
  /** A folder to start from instead of an initdb. Default: the one made at build time. */
  readonly image?: string;
  /** Milliseconds that a query may wait for its turn. Default 30,000. */
  readonly waitTimeoutMs?: number;
  /** When tables are vacuumed. Default: after a second without a query. */
  readonly vacuum?: IdleVacuumPauses;
  /**
   * Called once when PGlite's thread died: no query is answered any more. Default: a line in the
   * log, and the end of the process.
   */
  readonly onFatal?: (error: Error) => void;
}

/** A PostgreSQL server. */
export interface PostgresReadModel {
  readonly kind: 'postgres';
  /** `postgres://…` of the application's login. */
  readonly url: string;
  /** The owner's, for migrations. Default: the same. */
  readonly adminUrl?: string;
  /** Connections at most. Default 10. */
  readonly poolSize?: number;
  /** Milliseconds that one statement may take. Default 10,000. */
  readonly statementTimeoutMs?: number;
  readonly logger: Logger;
}

export type ReadModelOptions = PgliteReadModel | PostgresReadModel;
