import type { EntityManager } from 'typeorm';

import { SCHEMA } from '../schema.js';
import { auditRecordsTable } from '../tables/audit-records.table.js';
import { lookupColumn } from '../tables/define-table.js';
import { toRow } from '../versions/rows.js';
import type { AuditRow } from './audit-records.query.js';
import { numbered } from './numbered.js';

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
  const looked = target === undefined ? 'type' : 'target';
  const number = lookupColumn(looked);
  return records(
    manager,
    `select r.* from ${numbered('$4')} v
      cross join lateral (
        select * from ${TABLE}
         where tenant_id = $1 and type = any($3) and ${looked} = v.value
           and ${number} = v.number and (${number}, seq) <= (v.number, $2::bigint)) r
      order by r.seq`,
    [tenantId, seq, types, target === undefined ? types : [target]],
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
    `select r.* from ${numbered('$4')} v
      cross join lateral (
        select * from ${TABLE} a
         where a.tenant_id = $1 and a.target = v.value and a.type = $3 and ${upTo('target', '$2')}
         order by a.seq desc limit 1) r
      order by r.seq`,
    [tenantId, seq, type, targets],
  );
}

/** Condition of a looked-up column of `a` and a last seq, which one index finds; `v` has values. */
const upTo = (column: string, seq: string) => {
  const number = `a.${lookupColumn(column)}`;
  return `${number} = v.number and (${number}, a.seq) <= (v.number, ${seq}::bigint)`;
};

/** Condition of a job's end that decides the state of a source. */
const END = (type: string, past: string) => `
  left join lateral (
    select seq from ${TABLE} a
     where a.tenant_id = $1 and a.other_target = v.value and a.type = '${type}'
       and ${upTo('other_target', '$2')} and a.seq > ${past}
     order by a.seq desc limit 1) ${type} on true`;

/**
 * Returns the records of syncs that decide the state of sources at a seq, oldest first. These are
 * the last success, the last failure after it, and the last cancellation after both. They also
 * include the request before each of them, and the last request. A source has at most seven,
 * however often it was synced.
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
       select v.value, v.number, JobCompleted.seq as completed, JobFailed.seq as failed,
              JobCancelled.seq as cancelled
         from ${numbered('$3')} v
         ${END('JobCompleted', '-1')}
         ${END('JobFailed', 'coalesce(JobCompleted.seq, -1)')}
         ${END('JobCancelled', 'greatest(JobCompleted.seq, JobFailed.seq, -1)')}),
     moments as (
       select value, number, m.seq, m.last from ends
        cross join lateral (values
          (completed, false), (failed, false), (cancelled, false), ($2::bigint, true)) m(seq, last)
        where m.seq is not null),
     chosen as (
       select seq from moments where not last
       union
       select r.seq from moments v
        cross join lateral (
          select seq from ${TABLE} a
           where a.tenant_id = $1 and a.target = v.value and a.type = 'SourceSyncRequested'
             and ${upTo('target', 'v.seq')}
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
