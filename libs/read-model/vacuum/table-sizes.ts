import type { EntityManager } from 'typeorm';

import { PROJECTOR_ROLE, SCHEMA } from '../schema.js';

/** Bytes of a row besides its columns: its header and its entry in the page. */
const ROW_BYTES = 28;

/** The part of a table on disk that consists of visible rows. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** Bytes of the rows as stored, possibly compressed. */
  readonly liveBytes: number;
  /** Bytes of the table's files without its indexes. */
  readonly diskBytes: number;
  readonly indexBytes: number;
}

/**
 * Returns the names of every table that projections write, including versions that are being built.
 */
export async function tableNames(
  manager: Pick<EntityManager, 'query'>,
): Promise<readonly string[]> {
  const rows = await manager.query<{ name: string }[]>(
    `select tablename as name from pg_tables where schemaname = $1 and tableowner = $2 order by tablename`,
    [SCHEMA, PROJECTOR_ROLE],
  );
  return rows.map(({ name }) => name);
}

/** Measures one table. Reads all of its rows. */
export async function tableSize(
  manager: Pick<EntityManager, 'query'>,
  table: string,
): Promise<TableSize> {
  const name = `${SCHEMA}.${table}`;
  const columns = await manager.query<{ column: string }[]>(
    `select quote_ident(attname) as "column" from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [name],
  );
  const bytes = columns.map(({ column }) => `coalesce(pg_column_size(${column}), 0)`).join(' + ');
  const [size] = await manager.query<
    { rows: string; live: string; disk: string; indexes: string }[]
  >(
    `select count(*)::text as rows, coalesce(sum(${bytes} + ${ROW_BYTES}), 0)::text as live,
            pg_table_size($1::regclass)::text as disk, pg_indexes_size($1::regclass)::text as indexes
       from ${name}`,
    [name],
  );
  const { rows, live, disk, indexes } = size ?? { rows: 0, live: 0, disk: 0, indexes: 0 };
  return {
    table,
    rows: Number(rows),
    liveBytes: Number(live),
    diskBytes: Number(disk),
    indexBytes: Number(indexes),
  };
}
