import { DataSource } from 'typeorm';

import { APP_ROLE, PROJECTOR_ROLE } from '../schema.js';
import { migrate } from './migrate.js';
import type { PostgresReadModel } from './read-model-options.js';
import { typeOrmOptions } from './type-orm-options.js';

/** Opens read models on a PostgreSQL server, migrated by the owner's login and used by the application's. */
export async function openPostgresDataSource(options: PostgresReadModel): Promise<DataSource> {
  const { url, adminUrl = url, poolSize = 10, logger } = options;
  const settings = {
    ...typeOrmOptions(logger),
    connectTimeoutMS: 10_000,
    applicationName: 'footnote',
    extra: { statement_timeout: 60_000, idle_in_transaction_session_timeout: 120_000 },
  };
  // Two connections: one holds the lock, the other migrates.
  const admin = await new DataSource({ ...settings, url: adminUrl, poolSize: 2 }).initialize();
  try {
    await migrate(admin, { lock: true });
    await grantRoles(admin, url);
  } finally {
    await admin.destroy();
  }
  return new DataSource({ ...settings, url, poolSize }).initialize();
}

/** The application's login may become either role; it owns nothing itself. Where it may already, nothing happens. */
async function grantRoles(admin: DataSource, url: string): Promise<void> {
  const login = decodeURIComponent(new URL(url).username);
  if (!login) return;
  await admin.query(`
    do $$ begin
      execute format('grant ${APP_ROLE}, ${PROJECTOR_ROLE} to %I', ${literal(login)});
    exception when insufficient_privilege then
      raise notice 'the roles were not granted';
    end $$`);
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
