import { Socket } from 'node:net';

import { Client, type ClientConfig } from 'pg';
import { DataSource } from 'typeorm';

import { APP_ROLE, PROJECTOR_ROLE } from '../schema.js';
import { onEngine } from './engine-errors.js';
import { migrate } from './migrate.js';
import type { PostgresReadModel } from './read-model-options.js';
import { typeOrmOptions } from './type-orm-options.js';

/**
 * A client whose connection ends with the first answer that is overdue (`query_timeout`).
 * node-postgres by itself only gives up the waiting: the statement would stay before every later
 * one on that connection, the transaction's rollback first.
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

/** Views that check their reader's rights came with it. */
const OLDEST_VERSION = 15;
const CONNECT_MS = 5_000;
const MIGRATION_STATEMENT_MS = 60_000;
/** What the client waits longer than the server, which is to answer first. */
const GRACE_MS = 2_000;

/**
 * Opens read models on a PostgreSQL server, migrated by the owner's login and used by the
 * application's. Every wait ends: for a connection after five seconds, for an answer a little after
 * `statementTimeoutMs`.
 * @throws FootnoteError `engine_unavailable`; Error when the server or its roles are not as they
 * have to be.
 */
export async function openPostgresDataSource(options: PostgresReadModel): Promise<DataSource> {
  const { url, adminUrl = url, poolSize = 10, statementTimeoutMs = 10_000 } = options;
  const login = decodeURIComponent(new URL(url).username);
  if (login === APP_ROLE || login === PROJECTOR_ROLE) {
    throw new Error(
      `DATABASE_URL must not sign in as ${login}: a login that may become that role needs another name`,
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
    throw new Error(
      `PostgreSQL ${OLDEST_VERSION} or newer is needed; the server has ${row?.version}`,
    );
  }
}

/**
 * The application's login may become either role; it owns nothing itself. Where it may already,
 * nothing happens.
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
      `The owner may not do it, so run: grant ${APP_ROLE}, ${PROJECTOR_ROLE} to "${login}"`,
    );
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
