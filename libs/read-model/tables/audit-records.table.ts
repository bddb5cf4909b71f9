import { defineTable } from './define-table.js';

/** One changed field of a resource, as JSON values; null for an absent value. */
export interface AuditChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * One event of a tenant, as a leaf of the tenant's Merkle tree. The event itself stays in the log,
 * at `stream` and `revision`.
 */
export interface AuditRecordsRow {
  readonly tenant_id: string;
  /** Number of the tenant's earlier events, in log order. */
  readonly seq: number;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly actor_type: string;
  readonly actor_id: string;
  /** Primary target, `type:id`. */
  readonly target: string | null;
  /** Second target, `type:id`; further ones are only in the record. */
  readonly other_target: string | null;
  readonly request_id: string | null;
  readonly occurred_at: string;
  /** Time of the append; never before that of an earlier record, although clocks step back. */
  readonly recorded_at: string;
  /** Leaf hash, base64. */
  readonly hash: string;
  /**
   * Hashes of the complete subtrees of 256, 65,536 … leaves that end with this leaf, base64; null
   * if none does.
   */
  readonly subtrees: readonly string[] | null;
  /** Fields that the event changed; null if its type changes no fields. */
  readonly changes: readonly AuditChange[] | null;
}

export const auditRecordsTable = defineTable<AuditRecordsRow>('audit_records', {
  columns: {
    tenant_id: { type: 'text' },
    seq: { type: 'bigint' },
    id: { type: 'text' },
    stream: { type: 'text' },
    revision: { type: 'bigint' },
    type: { type: 'text' },
    actor_type: { type: 'text' },
    actor_id: { type: 'text' },
    target: { type: 'text', nullable: true },
    other_target: { type: 'text', nullable: true },
    request_id: { type: 'text', nullable: true },
    occurred_at: { type: 'timestamp' },
    recorded_at: { type: 'timestamp' },
    hash: { type: 'text' },
    subtrees: { type: 'json', nullable: true },
    changes: { type: 'json', nullable: true },
  },
  key: ['tenant_id', 'seq'],
  lookups: ['id', 'request_id', 'type', 'actor_id', 'target', 'other_target'],
});
