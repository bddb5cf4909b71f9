import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

import { SCHEMA } from '../schema.js';

/**
 * Type of a column. `timestamp` is an ISO 8601 string with milliseconds in code; `bigint` is a safe
 * integer.
 */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'boolean' | 'timestamp' | 'json';

export interface Column {
  readonly type: ColumnType;
  readonly nullable?: boolean;
}

/** Every read-model row belongs to a tenant. */
export interface TenantRow {
  readonly tenant_id: string;
}

export interface TableOptions<Row extends TenantRow> {
  readonly columns: { readonly [Name in keyof Row & string]-?: Column };
  /** Primary key columns; the first is always `tenant_id`. */
  readonly key: readonly ['tenant_id', ...(keyof Row & string)[]];
  /** Further indexes, each a list of columns in SQL. */
  readonly indexes?: readonly string[];
  /**
   * Text columns that queries look up by value, in the order of the last key column. Each gets a
   * number of tenant and value, which the database derives, and an index of that number. It takes a
   * fifth of the space that an index of both texts takes. Different values may share a number, so
   * that queries compare the text too.
   */
  readonly lookups?: readonly (keyof Row & string)[];
}

/**
 * A read model: one definition for the SQL of each version's table and the entity that queries
 * read.
 */
export interface ReadTable<Row extends TenantRow = TenantRow> extends TableOptions<Row> {
  readonly name: string;
  /** Reads through the view of the live version. */
  readonly entity: EntitySchema<Row>;
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'bigint',
  boolean: 'boolean',
  timestamp: 'timestamptz(3)',
  json: 'jsonb',
};

/** Declares a read model. Its live version is the view `read_model.<name>`. */
export function defineTable<Row extends TenantRow>(
  name: string,
  options: TableOptions<Row>,
): ReadTable<Row> {
  const columns = Object.entries(options.columns as Record<string, Column>).map(
    ([column, definition]) => [
      column,
      entityColumn(definition, (options.key as readonly string[]).includes(column)),
    ],
  );
  const entity = new EntitySchema<Row>({
    name,
    tableName: name,
    schema: SCHEMA,
    synchronize: false,
    columns: Object.fromEntries(columns) as Record<keyof Row & string, EntitySchemaColumnOptions>,
  } as ConstructorParameters<typeof EntitySchema<Row>>[0]);
  return Object.freeze({ name, entity, ...options });
}

/** Converts a column's value from the driver's form to its in-code form. */
export function fromColumn(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (type === 'timestamp') return new Date(value as Date | string).toISOString();
  return type === 'bigint' ? Number(value) : value;
}

/** Returns the column that has the numbers of a looked-up column. */
export function lookupColumn(column: string): string {
  return `${column}_lookup`;
}

/** Returns the SQL of the number of a tenant and a value, both SQL of type text. */
export function lookupNumber(tenant: string, value: string): string {
  return `hashtextextended(${tenant} || ' ' || ${value}, 0)`;
}

/** Returns the SQL type of a column. */
export function sqlType(column: Column): string {
  return `${SQL_TYPES[column.type]}${column.nullable ? '' : ' not null'}`;
}

function entityColumn(column: Column, primary: boolean): EntitySchemaColumnOptions {
  return {
    type:
      column.type === 'timestamp' ? 'timestamptz' : column.type === 'json' ? 'jsonb' : column.type,
    primary,
    nullable: column.nullable ?? false,
    ...(column.type === 'timestamp' || column.type === 'bigint'
      ? {
          transformer: {
            to: (value: unknown) => value,
            from: (value: unknown) => fromColumn(column.type, value),
          },
        }
      : {}),
  };
}
