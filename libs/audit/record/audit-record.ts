import type { Actor, EventMetadata, HttpContext, JsonObject, RecordedEvent } from '#contracts';

import { jsonSha256 } from '../canonical-json.js';
import type { AuditCategory, AuditOutcome, AuditTarget } from '../catalogue/audit-action.js';
import { auditAction, auditTargets } from '../catalogue/derive-action.js';
import type { FieldChange } from '../changes/field-changes.js';
import { auditedData } from '../leaf/audited-data.js';
import { hashLeaf, type Leaf } from '../leaf/leaf.js';

/** Members that an export may omit: `data` (with all that is derived from it) and `context`. */
export const OMITTABLE = ['context', 'data'] as const;
export type Omittable = (typeof OMITTABLE)[number];

/** The actor; the name is null if no name is known any more. */
interface RecordActor {
  readonly type: string;
  readonly id: string;
  readonly name: string | null;
}

/** The members of every audit record, whatever is omitted. */
export interface AuditRecordBase {
  readonly id: string;
  /** Place among the events of the tenant, from 0. */
  readonly seq: number;
  readonly schema_version: number;
  readonly action: string;
  readonly type: string;
  readonly category: AuditCategory;
  readonly occurred_at: string;
  /** Time when the store recorded the event; not part of the hash. */
  readonly recorded_at: string;
  readonly outcome: AuditOutcome;
  readonly actor: RecordActor;
  readonly correlation_id: string;
  readonly causation_id: string;
  readonly stream: string;
  readonly revision: number;
  readonly prev_hash: string;
  readonly hash: string;
}

/** An event of the tenant as auditors read it. */
export interface AuditRecord extends AuditRecordBase {
  readonly targets: readonly AuditTarget[];
  readonly changes: readonly FieldChange[];
  /** Null for background work. */
  readonly context: HttpContext | null;
  /** The data as it is stored; digests instead of withheld fields. */
  readonly data: JsonObject;
}

/** A record from which members may be omitted; their digests are there instead. */
export interface PartialRecord extends AuditRecordBase {
  readonly targets?: readonly AuditTarget[];
  readonly changes?: readonly FieldChange[];
  readonly context?: HttpContext | null;
  readonly data?: JsonObject;
  readonly data_sha256?: string;
  readonly context_sha256?: string;
}

/** A stored event, never upcast. */
export type StoredEvent = Pick<
  RecordedEvent,
  'id' | 'type' | 'stream' | 'revision' | 'data' | 'metadata' | 'recordedAt'
>;

/** The data that the record of an event needs in addition to the event. */
export interface RecordPlace {
  readonly seq: number;
  /** Hash of the record before, hex; `NO_LEAF` before the first. */
  readonly prevHash: string;
  /** The changes that `AuditFold` returned for the event. */
  readonly changes: readonly FieldChange[];
  /** Opened name of a person; a stored name of another actor is used as it is. */
  readonly personName?: string | null;
  /** Hash that the trail has, hex. Default: the one that follows from the event. */
  readonly hash?: string;
}

/** Returns the record of a stored event. */
export function auditRecord(event: StoredEvent, place: RecordPlace): AuditRecord {
  const { id, type, stream, metadata } = event;
  const { action, category, outcome } = auditAction(type);
  const data = auditedData(type, event.data);
  const record = {
    id,
    seq: place.seq,
    schema_version: metadata.schema_version,
    action,
    type,
    category,
    occurred_at: metadata.occurred_at,
    recorded_at: event.recordedAt.toISOString(),
    outcome,
    actor: recordActor(metadata, place.personName),
    targets: auditTargets({ id, type, stream, data }),
    changes: place.changes,
    context: metadata.http ?? null,
    correlation_id: metadata.correlation_id,
    causation_id: metadata.causation_id,
    stream,
    revision: Number(event.revision),
    prev_hash: place.prevHash,
    data,
  };
  return { ...record, hash: place.hash ?? hashLeaf(leafOf(record)).toString('hex') };
}

/** Returns the record without the omitted members, and with their digests. */
export function omitFromRecord(record: AuditRecord, omit: readonly Omittable[]): PartialRecord {
  const { data, changes, targets, context, ...base } = record;
  return {
    ...base,
    ...(omit.includes('data') ? { data_sha256: jsonSha256(data) } : { data, changes, targets }),
    ...(omit.includes('context') ? { context_sha256: jsonSha256(context) } : { context }),
  };
}

/** Returns the leaf that a record states. Its hash is the record's unless something was altered. */
export function leafOf(record: Omit<PartialRecord, 'hash'>): Leaf {
  const { type, id, name } = record.actor;
  return {
    seq: record.seq,
    prev_hash: record.prev_hash,
    id: record.id,
    type: record.type,
    schema_version: record.schema_version,
    stream: record.stream,
    revision: record.revision,
    occurred_at: record.occurred_at,
    actor: { type: type as Actor['type'], id, ...(name === null ? {} : { name }) },
    correlation_id: record.correlation_id,
    causation_id: record.causation_id,
    data_sha256: record.data_sha256 ?? jsonSha256(record.data),
    context_sha256: record.context_sha256 ?? jsonSha256(record.context),
  };
}

function recordActor({ actor }: EventMetadata, personName: string | null = null): RecordActor {
  const { type, id, name = null } = actor;
  return { type, id, name: type === 'user' ? personName : name };
}
