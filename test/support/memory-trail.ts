import type { RecordedEvent } from '#contracts';
import { type AuditRow, getAuditRecord, listAuditRecords, type ReadModel } from '#read-model';

import type { MemoryEventStore } from './memory-event-store.js';

/** Answers queries for audit records from a log in memory, as the projection would. */
export function memoryTrail(
  store: Pick<MemoryEventStore, 'events'>,
): Pick<ReadModel, 'ask' | 'waitFor'> {
  const rowsOf = (tenantId: string): AuditRow[] =>
    store.events.filter(({ metadata }) => metadata.tenant_id === tenantId).map(row);
  const ask = async (query: unknown, tenantId: string, parameters: unknown): Promise<unknown> => {
    const rows = rowsOf(tenantId);
    if (query === getAuditRecord) return rows.find(({ id }) => id === parameters) ?? null;
    if (query !== listAuditRecords) throw new Error('The trail in memory has no such query');
    const { filter, after = -1, limit } = parameters as Parameters<typeof listAuditRecords>[2];
    const { types } = filter;
    return rows
      .filter(({ seq, type }) => seq > after && (!types || types.includes(type)))
      .slice(0, limit);
  };
  return { ask: ask as ReadModel['ask'], waitFor: async () => true };
}

function row(event: RecordedEvent, seq: number): AuditRow {
  const { id, stream, revision, type, metadata } = event;
  return {
    tenant_id: metadata.tenant_id,
    seq,
    id,
    stream,
    revision: Number(revision),
    type,
    actor_type: metadata.actor.type,
    actor_id: metadata.actor.id,
    target: null,
    other_target: null,
    request_id: null,
    occurred_at: metadata.occurred_at,
    recorded_at: metadata.occurred_at,
    hash: '',
    subtrees: null,
    changes: null,
    prev_hash: null,
  };
}
