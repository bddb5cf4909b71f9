import { AuditedEvents } from '#apps/api/audit/audited-events';
import { RecordedReads } from '#apps/api/recorded-reads/recorded-reads';
import { auditAction } from '#audit';
import { type RecordedEvent, SYSTEM_TENANT } from '#contracts';
import type { Engines } from '#engines';
import { type Sealed, uuidv7 } from '#platform';
import { listAuditRecords } from '#read-model';

import { operatorOf } from './operator.js';
import { operatorReasonContext } from './recorded-run.js';

const MAX_RECORDS = 1_000;
const DEFAULT_RECORDS = 100;

/**
 * Types of acts and refusals. The trail has other events too, such as the jobs that index the
 * service's own documents.
 */
const ACTS = [
  'OperatorCommandStarted',
  'OperatorCommandCompleted',
  'OperatorCommandFailed',
  'RequestsRefused',
  'AuditTrailRead',
  'FingerprintKeyMade',
  'LogCreated',
  'ServiceConfigured',
];

/** A record of the operator's trail. */
export interface OperatorRecord {
  readonly seq: number;
  readonly occurred_at: string;
  readonly action: string;
  readonly outcome: string;
  readonly actor: RecordedEvent['metadata']['actor'];
  readonly correlation_id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly context: object | null;
}

/**
 * Returns the newest records of the operator's trail: acts of operators, and refused requests that
 * belong to no tenant. No route shows it. Reading it is an event, one per user, filter and hour.
 * @throws Error for a parameter out of range.
 */
export async function operatorTrail(
  engines: Engines,
  parameters: Readonly<Record<string, unknown>>,
): Promise<OperatorRecord[]> {
  const { readModel, eventStore, keyRing, clock, logger } = engines;
  const { before, limit = DEFAULT_RECORDS, all = false } = parameters;
  const { user } = operatorOf(parameters['operator']);
  if (!isWholeNumber(limit) || limit < 1 || limit > MAX_RECORDS)
    throw new Error(`Limit must be an integer from 1 to ${MAX_RECORDS} (got ${String(limit)})`);
  if (before !== undefined && !isWholeNumber(before))
    throw new Error('Before must be the seq of a record');
  if (typeof all !== 'boolean') throw new Error('All must be true or false');
  const actor = { type: 'operator', id: user, name: 'operator-trail' } as const;
  await new RecordedReads(eventStore, clock, logger).record(
    { tenantId: SYSTEM_TENANT, actor, requestId: uuidv7() },
    { kind: 'audit_trail', filter: { all, before, limit } },
  );
  const rows = await readModel.ask(listAuditRecords, SYSTEM_TENANT, {
    filter: all ? {} : { types: ACTS },
    order: 'desc',
    limit,
    ...(before === undefined ? {} : { after: before }),
  });
  const audited = await new AuditedEvents(eventStore).of(rows);
  return Promise.all(
    audited.map(async ({ row, event: { type, data, metadata } }) => {
      const { action, outcome } = auditAction(type);
      const { occurred_at, actor: by, http, correlation_id } = metadata;
      const shown = { seq: row.seq, occurred_at, action, outcome, actor: by, correlation_id };
      return { ...shown, data: await withReason(keyRing, data), context: http ?? null };
    }),
  );
}

/** Returns the data of a record with its reason in the clear; null if its key is gone. */
async function withReason(
  keyRing: Engines['keyRing'],
  data: RecordedEvent['data'],
): Promise<RecordedEvent['data']> {
  const { run_id: runId, reason } = data;
  if (typeof reason !== 'string' || typeof runId !== 'string') return data;
  const context = operatorReasonContext(runId);
  return { ...data, reason: await keyRing.open(SYSTEM_TENANT, context, reason as Sealed) };
}

function isWholeNumber(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
