import type { EntityManager } from 'typeorm';

import { SCHEMA } from '../schema.js';
import { type AuditRecordsRow, auditRecordsTable } from '../tables/audit-records.table.js';
import { lookupColumn, lookupNumber } from '../tables/define-table.js';
import { toRow } from '../versions/rows.js';
import { numbered } from './numbered.js';

/** Conditions of a page of the trail; all of them must hold. */
export interface AuditFilter {
  /** Event types. Default: all. */
  readonly types?: readonly string[];
  readonly actor_type?: string;
  readonly actor_id?: string;
  /** A target, `type:id`. */
  readonly target?: string;
  readonly request_id?: string;
  /** First and last moment of recording, inclusive, ISO 8601. */
  readonly from?: string;
  readonly to?: string;
}

export interface ListAuditRecords {
  readonly filter: AuditFilter;
  readonly order: 'asc' | 'desc';
  /** Returns records past this seq, in the direction of `order`. */
  readonly after?: number;
  readonly limit: number;
}

/** A row with the leaf hash of the record before it, base64; null for the first. */
export interface AuditRow extends AuditRecordsRow {
  readonly prev_hash: string | null;
}

/** The end of a tenant's trail, from which the next batch continues. */
export interface AuditHead {
  /** Number of records. */
  readonly size: number;
  /** Leaf hash of the last record, base64. */
  readonly hash: string;
  /** Recorded time of the last record. */
  readonly recorded_at: string;
}

const TABLE = `${SCHEMA}.audit_records`;
/** Columns of a row, without the numbers of looked-up columns. */
const ROW = Object.keys(auditRecordsTable.columns)
  .map((column) => `r.${column}`)
  .join(', ');
const HASH_BEFORE = `(select p.hash from ${TABLE} p
   where p.tenant_id = r.tenant_id and p.seq = r.seq - 1)`;

/** Conditions on columns that are looked up, those that select the fewest records first. */
const LOOKUPS = ['request_id', 'target', 'actor_id', 'types'] as const;

/** Returns a page of a tenant's records by seq. */
export async function listAuditRecords(
  manager: EntityManager,
  tenantId: string,
  request: ListAuditRecords,
): Promise<AuditRow[]> {
  const { filter, order, limit } = request;
  const { above, below } = await seqBounds(manager, tenantId, request);
  const values: unknown[] = [tenantId, limit];
  const value = (given: unknown) => `$${values.push(given)}`;
  const looked = LOOKUPS.find((name) => filter[name] !== undefined);
  const conditions = ['tenant_id = $1'];
  if (filter.types && looked !== 'types') conditions.push(`type = any(${value(filter.types)})`);
  for (const column of ['actor_type', 'actor_id', 'request_id'] as const)
    if (filter[column] !== undefined) conditions.push(`${column} = ${value(filter[column])}`);
  const page = (columns: string, more: string) =>
    `select ${columns} from ${TABLE} where ${conditions.join(' and ')} and ${more}
      order by seq ${order} limit $2`;
  const between = `seq > ${value(above)} and seq < ${value(below)}`;
  let rows = page('*', between);
  if (looked) {
    const columns = looked === 'target' ? ['target', 'other_target'] : [looked];
    const arms = columns.map((column) => {
      const name = column === 'types' ? 'type' : column;
      const number = lookupColumn(name);
      // Bounds of `seq` alone. With a comparison of both columns, PostgreSQL starts at the first
      // entry of the number and reads all entries up to the page.
      const arm = page('seq', `${name} = v.value and ${number} = v.number and ${between}`);
      const given = [filter[looked] ?? []].flat();
      return `select seq from ${numbered(value(given))} v cross join lateral (${arm}) a`;
    });
    rows = `select found.* from
        (select seq from (${arms.join(' union ')}) a order by seq ${order} limit $2) s
        cross join lateral (select * from ${TABLE} where tenant_id = $1 and seq = s.seq limit 1) found`;
  }
  const found = await manager.query<Record<string, unknown>[]>(
    // A look-up of the hash before costs as much as the row, so that neighbors share theirs.
    `select ${ROW}, case when lag(r.seq) over by_seq = r.seq - 1 then lag(r.hash) over by_seq
                         else ${HASH_BEFORE} end as prev_hash
       from (${rows}) r window by_seq as (order by r.seq) order by r.seq ${order} limit $2`,
    values,
  );
  return found.map(auditRow);
}

/** Returns the record of an event. */
export async function getAuditRecord(
  manager: EntityManager,
  tenantId: string,
  eventId: string,
): Promise<AuditRow | null> {
  const [row] = await manager.query<Record<string, unknown>[]>(
    `select ${ROW}, ${HASH_BEFORE} as prev_hash from ${TABLE} r
      where r.tenant_id = $1 and r.id = $2
        and r.${lookupColumn('id')} = ${lookupNumber('$1::text', '$2::text')}`,
    [tenantId, eventId],
  );
  return row ? auditRow(row) : null;
}

/**
 * Returns the number of records that were recorded before a moment (`<`), or before and at it
 * (`<=`). Recorded times never decrease, so a binary search over the key finds it.
 */
async function recordedBefore(
  manager: EntityManager,
  tenantId: string,
  comparison: '<' | '<=',
  moment: string,
): Promise<number> {
  const [row] = await manager.query<{ seq: number | string }[]>(
    // As a subquery with one row, each step reads one entry of the key. As a join, the planner may
    // read the whole trail in each step.
    `with recursive span(low, high) as (
       select 0::bigint, (select coalesce(max(seq) + 1, 0) from ${TABLE} where tenant_id = $1)
       union all
       select case when is_before then middle + 1 else low end,
              case when is_before then high else middle end
         from (select low, high, (low + high) / 2 as middle,
                      (select recorded_at ${comparison} $2::timestamptz from ${TABLE}
                        where tenant_id = $1 and seq = (low + high) / 2) as is_before
                 from span where low < high) as step)
     select min(low) as seq from span where low = high`,
    [tenantId, moment],
  );
  return Number(row?.seq ?? 0);
}

/**
 * Returns the number of a tenant's records up to and including a moment (ISO 8601), by recorded
 * time; all records without one.
 */
export async function recordsUntil(
  manager: EntityManager,
  tenantId: string,
  moment?: string,
): Promise<number> {
  if (moment !== undefined) return recordedBefore(manager, tenantId, '<=', moment);
  return (await auditHeads(manager, [tenantId])).get(tenantId)?.size ?? 0;
}

/** Returns the seqs between which a page lies, both exclusive: past its start and in its time. */
async function seqBounds(
  manager: EntityManager,
  tenantId: string,
  { filter: { from, to }, order, after }: ListAuditRecords,
): Promise<{ readonly above: number; readonly below: number }> {
  let above = order === 'asc' ? (after ?? -1) : -1;
  let below = order === 'desc' ? (after ?? Number.MAX_SAFE_INTEGER) : Number.MAX_SAFE_INTEGER;
  if (from !== undefined)
    above = Math.max(above, (await recordedBefore(manager, tenantId, '<', from)) - 1);
  if (to !== undefined) below = Math.min(below, await recordedBefore(manager, tenantId, '<=', to));
  return { above, below };
}

function auditRow(row: Record<string, unknown>): AuditRow {
  const prev_hash = (row.prev_hash ?? null) as string | null;
  return { ...toRow(auditRecordsTable, row), prev_hash };
}

/** Hashes of consecutive leaves, or of consecutive subtrees of `256 ** level` leaves. */
export interface HashRange {
  readonly level: number;
  /** Index of the first hash on its level. */
  readonly first: number;
  readonly count: number;
}

/**
 * Returns hashes of a tenant's tree, 32 bytes each, in order; fewer than asked for if the tree ends
 * before. Of `table`, which a projector that builds another version passes.
 */
export async function treeHashes(
  manager: EntityManager,
  tenantId: string,
  { level, first, count }: HashRange,
  table = TABLE,
): Promise<Buffer> {
  const rows = await (level === 0
    ? manager.query<{ hash: string | null }[]>(
        `select hash from ${table} where tenant_id = $1 and seq between $2 and $3 order by seq`,
        [tenantId, first, first + count - 1],
      )
    : // A subtree's hash is in the row of its last leaf; the limit makes it one lookup each.
      manager.query<{ hash: string | null }[]>(
        `select r.hash from generate_series($2::bigint, $3::bigint) as n
          cross join lateral (select subtrees->>${level - 1} as hash from ${table}
                               where tenant_id = $1 and seq = (n + 1) * $4::bigint - 1 limit 1) r
          order by n`,
        [tenantId, first, first + count - 1, 256 ** level],
      ));
  return Buffer.concat(rows.map(({ hash }) => Buffer.from(hash ?? '', 'base64')));
}

/** Returns where the trails of some tenants end, by tenant. */
export async function auditHeads(
  manager: EntityManager,
  tenantIds: readonly string[],
  table = TABLE,
): Promise<ReadonlyMap<string, AuditHead>> {
  const rows = await manager.query<Record<string, unknown>[]>(
    `select t.tenant_id, r.seq, r.hash, r.recorded_at
       from unnest($1::text[]) as t(tenant_id)
      cross join lateral (select seq, hash, recorded_at from ${table} a
                           where a.tenant_id = t.tenant_id order by seq desc limit 1) r`,
    [tenantIds],
  );
  return new Map(
    rows.map((row) => [
      String(row.tenant_id),
      {
        size: Number(row.seq) + 1,
        hash: String(row.hash),
        recorded_at: new Date(row.recorded_at as Date).toISOString(),
      },
    ]),
  );
}
