import { createHash, randomUUID } from 'node:crypto';

import type { AuditRecordsRow } from '#read-model';

const START = Date.parse('2026-01-02T03:00:00.000Z');

/** Returns a row of a trail, recorded `seq` seconds after 2026-01-02T03:00:00Z. */
export function auditRow(
  tenantId: string,
  seq: number,
  fields: Partial<AuditRecordsRow> = {},
): AuditRecordsRow {
  const moment = new Date(START + seq * 1_000).toISOString();
  return {
    tenant_id: tenantId,
    seq,
    id: randomUUID(),
    stream: `read-${Math.floor(seq / 5)}`,
    revision: seq % 5,
    type: 'KeysListed',
    actor_type: 'api_key',
    actor_id: `key-${seq % 20}`,
    target: null,
    other_target: null,
    request_id: `request-${Math.floor(seq / 5)}`,
    occurred_at: moment,
    recorded_at: moment,
    hash: createHash('sha256').update(`${tenantId} ${seq}`).digest('base64'),
    subtrees: null,
    changes: null,
    ...fields,
  };
}
