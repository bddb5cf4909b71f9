import { Socket } from 'node:net';

import { Client, type ClientConfig } from 'pg';
import { DataSource } from 'typeorm';

import { APP_ROLE, PROJECTOR_ROLE } from '../schema.js';
import { onEngine } from './engine-errors.js';
import { migrate } from './migrate.js';
import type { PostgresReadModel } from './read-model-options.js';
import { typeOrmOptions } from './type-orm-options.js';

/**
 * A client that closes its connection when an answer is overdue (`query_timeout`). node-postgres
 * itself only stops waiting: the statement would delay every later one on that connection, first
 * the rollback of the transaction.
 */
class ImpatientClient extends Client {
  constructor(config: ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    const send = this.query.bind(this) as (...words: readonly unknown[]) => unknown;
    const query = (...words: readonly unknown[]) => {
      const answer = send(...words);
      if (answer instanceof Promise) {
        answer.catch((error: unknown) => {
          if (error instanceof Error && error.message === 'Query read timeout') socket.destroy();
        });
      }
      return answer;
    };
    Object.assign(this, { query });
  }
}

/** Views that check their reader's rights came with this version. */
const OLDEST_VERSION = 15;
const CONNECT_MS = 5_000;
const MIGRATION_STATEMENT_MS = 60_000;
/** Milliseconds that the client waits longer than the server, which should answer first. */
const GRACE_MS = 2_000;

/**
 * Opens read models on a PostgreSQL server, migrated by the owner's login and used by the
 * application's. Every wait is limited: for a connection to five seconds, for an answer to a little
 * more than `statementTimeoutMs`.
 * @throws FootnoteError `engine_unavailable`; Error if the server or its roles do not meet the
 * requirements.
 */
export async function openPostgresDataSource(options: PostgresReadModel): Promise<DataSource> {
  const { url, adminUrl = url, poolSize = 10, statementTimeoutMs = 10_000 } = options;
  const login = decodeURIComponent(new URL(url).username);
  if (login === APP_ROLE || login === PROJECTOR_ROLE) {
    throw new Error(
      `DATABASE_URL must not sign in as ${login}, since a role has this name; use another login`,
    );
  }
  return onEngine(async () => {
    // Two connections: one holds the lock, the other migrates.
    const admin = await connect(options, {
      url: adminUrl,
      poolSize: 2,
      statementTimeoutMs: MIGRATION_STATEMENT_MS,
    });
    try {
      await checkVersion(admin);
      await migrate(admin, { lock: true });
      if (login) await grantRoles(admin, login);
    } finally {
      await admin.destroy();
    }
    return connect(options, { url, poolSize, statementTimeoutMs });
  });
}

function connect(
  { logger }: PostgresReadModel,
  {
    url,
    poolSize,
    statementTimeoutMs,
  }: { url: string; poolSize: number; statementTimeoutMs: number },
): Promise<DataSource> {
  return new DataSource({
    ...typeOrmOptions(logger),
    url,
    poolSize,
    connectTimeoutMS: CONNECT_MS,
    applicationName: 'footnote',
    extra: {
      Client: ImpatientClient,
      keepAlive: true,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + GRACE_MS,
      idle_in_transaction_session_timeout: 120_000,
    },
  }).initialize();
}

async function checkVersion(admin: DataSource): Promise<void> {
  const [row] = await admin.query<{ version: number }[]>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  if (!row || row.version < OLDEST_VERSION) {
    throw new Error(`PostgreSQL must be version ${OLDEST_VERSION} or newer (got ${row?.version})`);
  }
}

/**
 * Grants both roles to the application's login, which itself owns nothing. Does nothing if it is
 * already a member.
 */
async function grantRoles(admin: DataSource, login: string): Promise<void> {
  await admin.query(`
    do $$ begin
      execute format('grant ${APP_ROLE}, ${PROJECTOR_ROLE} to %I', ${literal(login)});
    exception when insufficient_privilege then
      raise notice 'the roles were not granted';
    end $$`);
  const [may] = await admin.query<{ member: boolean }[]>(
    `select pg_has_role($1, $2, 'member') and pg_has_role($1, $3, 'member') as member`,
    [login, APP_ROLE, PROJECTOR_ROLE],
  );
  if (!may?.member) {
    throw new Error(
      `The owner cannot grant the roles; run: grant ${APP_ROLE}, ${PROJECTOR_ROLE} to "${login}"`,
    );
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
