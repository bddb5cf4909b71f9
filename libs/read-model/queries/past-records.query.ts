import type { EntityManager } from 'typeorm';

import { SCHEMA } from '../schema.js';
import { auditRecordsTable } from '../tables/audit-records.table.js';
import { toRow } from '../versions/rows.js';
import type { AuditRow } from './audit-records.query.js';

const TABLE = `${SCHEMA}.${auditRecordsTable.name}`;

/** Selects records up to and including a seq. */
export interface PastRecords {
  readonly seq: number;
  readonly types: readonly string[];
  /** Only records with this first target, `type:id`. */
  readonly target?: string;
}

/** Returns all records of rare types up to a seq, oldest first. */
export async function pastRecords(
  manager: EntityManager,
  tenantId: string,
  { seq, types, target }: PastRecords,
): Promise<AuditRow[]> {
  return records(
    manager,
    `select * from ${TABLE}
      where tenant_id = $1 and seq <= $2 and type = any($3)
        ${target === undefined ? '' : 'and target = $4'}
      order by seq`,
    [tenantId, seq, types, ...(target === undefined ? [] : [target])],
  );
}

/** Returns for each target the last record of a type up to a seq; none for targets without one. */
export async function lastRecords(
  manager: EntityManager,
  tenantId: string,
  seq: number,
  type: string,
  targets: readonly string[],
): Promise<AuditRow[]> {
  return records(
    manager,
    `select r.* from unnest($4::text[]) as t(target)
      cross join lateral (
        select * from ${TABLE} a
         where a.tenant_id = $1 and a.target = t.target and a.seq <= $2 and a.type = $3
         order by a.seq desc limit 1) r
      order by r.seq`,
    [tenantId, seq, type, targets],
  );
}

/** Condition of a job's end that decides the state of a source. */
const END = (type: string, past: string) => `
  left join lateral (
    select seq from ${TABLE} a
     where a.tenant_id = $1 and a.other_target = s.source and a.type = '${type}'
       and a.seq <= $2 and a.seq > ${past}
     order by a.seq desc limit 1) ${type} on true`;

/**
 * Returns the records of syncs that decide the state of sources at a seq, oldest first: the last
 * success, the last failure after it, the last cancellation after both, the request before each of
 * them, and the last request. A source has at most seven, however often it was synced.
 *
 * @param sources targets, `source:id`.
 */
export async function decidingSyncs(
  manager: EntityManager,
  tenantId: string,
  seq: number,
  sources: readonly string[],
): Promise<AuditRow[]> {
  return records(
    manager,
    `with ends as (
       select s.source, JobCompleted.seq as completed, JobFailed.seq as failed,
              JobCancelled.seq as cancelled
         from unnest($3::text[]) as s(source)
         ${END('JobCompleted', '-1')}
         ${END('JobFailed', 'coalesce(JobCompleted.seq, -1)')}
         ${END('JobCancelled', 'greatest(JobCompleted.seq, JobFailed.seq, -1)')}),
     moments as (
       select source, m.seq, m.last from ends
        cross join lateral (values
          (completed, false), (failed, false), (cancelled, false), ($2::bigint, true)) m(seq, last)
        where m.seq is not null),
     chosen as (
       select seq from moments where not last
       union
       select r.seq from moments m
        cross join lateral (
          select seq from ${TABLE} a
           where a.tenant_id = $1 and a.target = m.source and a.type = 'SourceSyncRequested'
             and a.seq <= m.seq
           order by a.seq desc limit 1) r)
     select a.* from ${TABLE} a join chosen c on a.tenant_id = $1 and a.seq = c.seq order by a.seq`,
    [tenantId, seq, sources],
  );
}

/** Returns records without the previous hash, which finding their events does not need. */
async function records(
  manager: EntityManager,
  sql: string,
  values: readonly unknown[],
): Promise<AuditRow[]> {
  const rows = await manager.query<Record<string, unknown>[]>(sql, [...values]);
  return rows.map((row) => ({ ...toRow(auditRecordsTable, row), prev_hash: null }));
}
