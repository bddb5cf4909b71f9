import type { Logger } from '#platform';

import type { IdleVacuumPauses } from '../vacuum/idle-vacuum.js';

/** PGlite in this process. Its files are in `directory`, which is dropped if it cannot be read. */
export interface PgliteReadModel {
  readonly kind: 'pglite';
  readonly directory: string;
  readonly logger: Logger;
  /** A folder to start from instead of running initdb. Default: the one created by the build. */
  readonly image?: string;
  /** Milliseconds that a query may wait for its turn. Default 30,000. */
  readonly waitTimeoutMs?: number;
  /** Pauses before tables are vacuumed. Default: after a second without a query. */
  readonly vacuum?: IdleVacuumPauses;
  /**
   * Called once when PGlite's thread died and no query is answered any more. Default: logs a line
   * and ends the process.
   */
  readonly onFatal?: (error: Error) => void;
}

/** A PostgreSQL server. */
export interface PostgresReadModel {
  readonly kind: 'postgres';
  /** `postgres://…` of the application's login. */
  readonly url: string;
  /** The owner's URL, for migrations. Default: the same. */
  readonly adminUrl?: string;
  /** Maximum number of connections. Default 10. */
  readonly poolSize?: number;
  /** Milliseconds that one statement may take. Default 10,000. */
  readonly statementTimeoutMs?: number;
  readonly logger: Logger;
}

export type ReadModelOptions = PgliteReadModel | PostgresReadModel;
