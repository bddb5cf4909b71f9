import { createHash } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import { APP_ROLE, PROJECTOR_ROLE, SCHEMA, TENANT_SETTING } from '../schema.js';
import {
  type Column,
  lookupColumn,
  lookupNumber,
  type ReadTable,
  sqlType,
  type TenantRow,
} from '../tables/define-table.js';

/** Returns the qualified table of one version of a read model. */
export function versionTable(table: { readonly name: string }, version: number): string {
  return `${SCHEMA}.${table.name}_v${version}`;
}

/** Returns the identity of a table's shape; it changes with every column, key or index. */
export function tableShape<Row extends TenantRow>(table: ReadTable<Row>): string {
  const { name, columns, key, indexes = [], lookups } = table;
  const shape = JSON.stringify([name, columns, key, indexes, ...(lookups ? [lookups] : [])]);
  return createHash('sha256').update(shape).digest('hex').slice(0, 16);
}

/**
 * Creates the table of a version with row-level security. The application's role sees only rows of
 * the named tenant, and even the owner sees rows only by the projector's policy.
 */
export async function createVersionTable<Row extends TenantRow>(
  manager: EntityManager,
  table: ReadTable<Row>,
  version: number,
): Promise<void> {
  const name = versionTable(table, version);
  const columns = Object.entries<Column>(table.columns).map(
    ([column, definition]) => `${column} ${sqlType(definition)}`,
  );
  const { indexes = [], lookups = [] } = table;
  for (const column of lookups)
    columns.push(
      `${lookupColumn(column)} bigint generated always as (${lookupNumber('tenant_id', column)}) stored`,
    );
  const statements = [
    `create table ${name} (${columns.join(', ')}, primary key (${table.key.join(', ')}))`,
    ...indexes.map((index) => `create index on ${name} (${index})`),
    ...lookups
      .map(lookupColumn)
      .map(
        (column) =>
          `create index on ${name} (${column}, ${table.key.at(-1)}) where ${column} is not null`,
      ),
    `alter table ${name} enable row level security`,
    `alter table ${name} force row level security`,
    `create policy tenant on ${name} for select to ${APP_ROLE}
       using (tenant_id = current_setting('${TENANT_SETTING}', true))`,
    `create policy projector on ${name} to ${PROJECTOR_ROLE} using (true) with check (true)`,
    `grant select on ${name} to ${APP_ROLE}`,
  ];
  for (const statement of statements) await manager.query(statement);
  await manager.query(`insert into ${SCHEMA}.checkpoints (projection, version) values ($1, $2)`, [
    table.name,
    version,
  ]);
}

/** Makes queries read this version, in the caller's transaction. */
export async function showVersion<Row extends TenantRow>(
  manager: EntityManager,
  table: ReadTable<Row>,
  version: number,
  definition: string,
): Promise<void> {
  const view = `${SCHEMA}.${table.name}`;
  await manager.query(`drop view if exists ${view}`);
  // The view applies the rights and row-level security of its reader, not of its owner.
  await manager.query(
    `create view ${view} with (security_invoker = true) as select * from ${versionTable(table, version)}`,
  );
  await manager.query(`grant select on ${view} to ${APP_ROLE}`);
  await manager.query(
    `insert into ${SCHEMA}.projection_versions (name, live_version, definition) values ($1, $2, $3)
     on conflict (name) do update set live_version = excluded.live_version, definition = excluded.definition`,
    [table.name, version, definition],
  );
}

/** Removes a version's table and checkpoint. */
export async function dropVersionTable(
  manager: EntityManager,
  table: { readonly name: string },
  version: number,
): Promise<void> {
  await manager.query(`drop table if exists ${versionTable(table, version)}`);
  await manager.query(`delete from ${SCHEMA}.checkpoints where projection = $1 and version = $2`, [
    table.name,
    version,
  ]);
}
