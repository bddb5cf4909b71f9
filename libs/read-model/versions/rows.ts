import type { EntityManager } from 'typeorm';

import { type Column, fromColumn, type ReadTable, type TenantRow } from '../tables/define-table.js';
import { versionTable } from './projection-tables.js';

/** Values of a table's key columns, in their order. */
export type RowKey = readonly (string | number)[];

/** Returns the key of a row as one string, for maps. */
export function keyText(key: RowKey): string {
  return JSON.stringify(key);
}

/** Returns the rows of one version with these keys; keys without a row are skipped. */
export async function loadRows<Row extends TenantRow>(
  manager: EntityManager,
  table: ReadTable<Row>,
  version: number,
  keys: readonly RowKey[],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const rows = await manager.query<Record<string, unknown>[]>(
    `select t.* from ${versionTable(table, version)} t join ${keyRecords(table)} using (${table.key.join(', ')})`,
    [keysJson(table, keys)],
  );
  return rows.map((row) => toRow(table, row));
}

/**
 * Inserts or replaces rows by key, in one statement. Keys must be distinct. An unchanged long value
 * keeps its place on disk: PostgreSQL stores it next to its row, and would store every new value
 * there again.
 */
export async function upsertRows<Row extends TenantRow>(
  manager: EntityManager,
  table: ReadTable<Row>,
  version: number,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const name = versionTable(table, version);
  const columns = Object.keys(table.columns);
  const others = columns.filter((column) => !(table.key as readonly string[]).includes(column));
  const update = others.map((column) => `${column} = ${newValue(table, column)}`).join(', ');
  await manager.query(
    `insert into ${name} as t (${columns.join(', ')})
     select ${columns.join(', ')} from jsonb_populate_recordset(null::${name}, $1::text::jsonb)
     on conflict (${table.key.join(', ')}) do update set ${update}`,
    [storableJson(rows)],
  );
}

/**
 * Returns the new value of a column in an upsert; for a possibly long column, the stored value if
 * both are equal.
 */
function newValue<Row extends TenantRow>(table: ReadTable<Row>, column: string): string {
  const { type } = (table.columns as Readonly<Record<string, Column>>)[column] ?? {};
  const mayBeLong = type === 'json' || type === 'text';
  return mayBeLong
    ? `case when t.${column} = excluded.${column} then t.${column} else excluded.${column} end`
    : `excluded.${column}`;
}

/** Deletes the rows with these keys. */
export async function deleteRows<Row extends TenantRow>(
  manager: EntityManager,
  table: ReadTable<Row>,
  version: number,
  keys: readonly RowKey[],
): Promise<void> {
  if (keys.length === 0) return;
  const matches = table.key.map((column) => `t.${column} = gone.${column}`).join(' and ');
  await manager.query(
    `delete from ${versionTable(table, version)} t using ${keyRecords(table)} where ${matches}`,
    [keysJson(table, keys)],
  );
}

/** Deletes every row of a tenant in one version. */
export async function deleteRowsOfTenant<Row extends TenantRow>(
  manager: EntityManager,
  table: ReadTable<Row>,
  version: number,
  tenantId: string,
): Promise<void> {
  await manager.query(`delete from ${versionTable(table, version)} where tenant_id = $1`, [
    tenantId,
  ]);
}

/** Converts a row to its in-code form: timestamps as ISO strings, integers as numbers. */
export function toRow<Row extends TenantRow>(
  table: ReadTable<Row>,
  row: Record<string, unknown>,
): Row {
  const columns = Object.entries<Column>(table.columns);
  return Object.fromEntries(
    columns.map(([name, { type }]) => [name, fromColumn(type, row[name])]),
  ) as unknown as Row;
}

function keyRecords<Row extends TenantRow>(table: ReadTable<Row>): string {
  const columns = table.key.map((column) => `${column} ${table.columns[column].type}`);
  return `jsonb_to_recordset($1::text::jsonb) as gone(${columns.join(', ')})`;
}

function keysJson<Row extends TenantRow>(table: ReadTable<Row>, keys: readonly RowKey[]): string {
  return storableJson(
    keys.map((key) => Object.fromEntries(table.key.map((column, index) => [column, key[index]]))),
  );
}

/**
 * Returns JSON that Postgres accepts: it cannot store NUL or half a surrogate pair, so they become
 * U+FFFD.
 */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part,
  );
}
