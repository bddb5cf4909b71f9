import type { DataSource, EntityManager } from 'typeorm';

import { auditRecord, type FieldChange } from '#audit';
import { EVENT_DEFINITIONS, type Position, type RecordedEvent } from '#contracts';
import { type Advance, type AuditRecordsRow, auditRecordsTable, upsertRows } from '#read-model';

import { commitStep } from '../runner/apply-batch.js';
import type { BatchProjection, RecordedBatch } from '../runner/batch-projection.js';
import type { AuditChanges } from './audit-changes.js';
import { AuditHeads, type TrailEnd } from './audit-heads.js';

/** The projection of audit records as the rebuild needs it. */
export const AUDIT_PROJECTION = {
  name: 'audit_records',
  /** Raised whenever the same events give other rows; the start then rebuilds. */
  version: 1,
  table: auditRecordsTable,
  handles: EVENT_DEFINITIONS.map(({ type }) => type),
} as const;

/**
 * Numbers the events of each tenant and appends them to the tenant's Merkle tree. Rows stay when
 * their tenant is erased: they hold what the log has in the clear, and proofs must survive.
 */
export class AuditBatches implements BatchProjection {
  readonly name = AUDIT_PROJECTION.name;
  readonly types = AUDIT_PROJECTION.handles;
  private heads: { readonly version: number; readonly ends: AuditHeads } | undefined;

  constructor(private readonly changes: AuditChanges) {}

  async commit(
    dataSource: DataSource,
    version: number,
    from: Position | null,
    { events, to }: RecordedBatch,
  ): Promise<Advance> {
    if (this.heads?.version !== version) this.heads = { version, ends: new AuditHeads(version) };
    const { ends } = this.heads;
    const step = { name: this.name, version, from, to };
    const happenedAt = events.at(-1)?.metadata.occurred_at ?? null;
    try {
      const changes = await this.changesOf(events);
      const advance = await commitStep(dataSource, step, happenedAt, async (manager) => {
        await upsertRows(
          manager,
          auditRecordsTable,
          version,
          await this.rows(manager, ends, events, changes),
        );
      });
      if (advance.outcome !== 'advanced') ends.forget();
      return advance;
    } catch (error) {
      ends.forget();
      throw error;
    }
  }

  /** Reads the log before the transaction begins, which must not wait for it. */
  private async changesOf(
    events: readonly RecordedEvent[],
  ): Promise<readonly (readonly FieldChange[] | null)[]> {
    const changes = [];
    for (const event of events) changes.push(await this.changes.of(event));
    return changes;
  }

  private async rows(
    manager: EntityManager,
    heads: AuditHeads,
    events: readonly RecordedEvent[],
    changes: readonly (readonly FieldChange[] | null)[],
  ): Promise<AuditRecordsRow[]> {
    const tenants = new Set(events.map(({ metadata }) => metadata.tenant_id));
    const ends = await heads.of(manager, tenants);
    return events.flatMap((event, at) => {
      const end = ends.get(event.metadata.tenant_id);
      return end ? append(end, event, changes[at] ?? null) : [];
    });
  }
}

/** Extends a trail by one record. */
function append(
  end: TrailEnd,
  event: RecordedEvent,
  changes: readonly FieldChange[] | null,
): AuditRecordsRow {
  const { metadata } = event;
  const seq = end.tree.size;
  const record = auditRecord(event, { seq, prevHash: end.hash, changes: [] });
  const hash = Buffer.from(record.hash, 'hex');
  const tiles = end.tree.append(hash);
  end.hash = record.hash;
  if (record.recorded_at > end.recordedAt) end.recordedAt = record.recorded_at;
  const [target, other] = record.targets.map(({ type, id }) => `${type}:${id}`);
  return {
    tenant_id: metadata.tenant_id,
    seq,
    id: event.id,
    stream: event.stream,
    revision: Number(event.revision),
    type: event.type,
    actor_type: metadata.actor.type,
    actor_id: metadata.actor.id,
    target: target ?? null,
    other_target: other ?? null,
    request_id: metadata.http?.request_id ?? null,
    occurred_at: metadata.occurred_at,
    recorded_at: end.recordedAt,
    hash: hash.toString('base64'),
    subtrees: tiles.length > 0 ? tiles.map(({ root }) => root.toString('base64')) : null,
    changes,
  };
}
