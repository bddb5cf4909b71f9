import type { DataSourceOptions } from 'typeorm';

import type { Logger } from '#platform';

import { MIGRATIONS } from '../migrations/migrations.js';
import { SCHEMA } from '../schema.js';
import { ALL_TABLES } from '../tables/tables.js';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Returns the options that both engines share. Only migrations create the schema. */
export function typeOrmOptions(logger: Logger): PostgresOptions {
  return {
    type: 'postgres',
    schema: SCHEMA,
    entities: ALL_TABLES.map((table) => table.entity),
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    installExtensions: false,
    poolErrorHandler: (error: unknown) =>
      logger.warn(
        { error: String(error) },
        'read models: a connection failed; reconnecting on the next query',
      ),
  };
}
