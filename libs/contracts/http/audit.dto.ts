import { ApiProperty, IntersectionType } from '@nestjs/swagger';

import { OrderedSeqPageQuery } from './page.dto.js';
import { Optional } from './validation/rule.js';
import { Choice, Text } from './validation/text.js';
import { Timestamp } from './validation/timestamp.js';

/** Subject of an audit record. */
const AUDIT_CATEGORIES = ['admin', 'access', 'job', 'search', 'data'] as const;
export type AuditCategory = (typeof AUDIT_CATEGORIES)[number];

/** Result of the recorded act; `denied` if the service refused it. */
const AUDIT_OUTCOMES = ['success', 'failure', 'denied'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Kinds of actors. */
export const ACTOR_TYPES = ['api_key', 'user', 'system', 'operator', 'anonymous'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** Conditions on audit records; all of them must hold. */
export class AuditFilterQuery {
  /** Only records from this time on, by `recorded_at`. */
  @Optional()
  @Timestamp()
  from?: string;

  /** Only records up to and including this time, by `recorded_at`. */
  @Optional()
  @Timestamp()
  to?: string;

  /** Only this action, such as `policy.updated`, or all of a kind: `policy.*`. */
  @Optional()
  @Text({ max: 100 })
  @ApiProperty({ example: 'policy.*' })
  action?: string;

  /** Only actions of this category. */
  @Optional()
  @Choice(...AUDIT_CATEGORIES)
  category?: AuditCategory;

  /** Only actions with this outcome. */
  @Optional()
  @Choice(...AUDIT_OUTCOMES)
  outcome?: AuditOutcome;

  /** Only acts of this kind of actor. */
  @Optional()
  @Choice(...ACTOR_TYPES)
  actor_type?: ActorType;

  /** Only acts of this actor. */
  @Optional()
  @Text({ max: 200 })
  actor_id?: string;

  /** Kind of the target; needs `target_id`. */
  @Optional()
  @Text({ max: 100 })
  @ApiProperty({ example: 'source' })
  target_type?: string;

  /** Only acts on this target, which is the first or second of the record; needs `target_type`. */
  @Optional()
  @Text({ max: 200 })
  target_id?: string;

  /** Only acts of this request. */
  @Optional()
  @Text({ max: 200 })
  request_id?: string;
}

/** A page of the audit trail. */
export class ListAuditEventsQuery extends IntersectionType(AuditFilterQuery, OrderedSeqPageQuery) {}

export class AuditActorView {
  @ApiProperty({ enum: [...ACTOR_TYPES] })
  type: string;
  id: string;
  /** Name of the key, process or person; null for a person whose data was erased. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
}

export class AuditTargetView {
  @ApiProperty({ example: 'source' })
  type: string;
  id: string;
}

export class AuditChangeView {
  @ApiProperty({ example: 'max_staleness_hours' })
  field: string;
  /** Value before the event; null for none. */
  @ApiProperty({ nullable: true })
  before: unknown;
  /** Value after the event; null for none. */
  @ApiProperty({ nullable: true })
  after: unknown;
}

/** Request behind an event. */
export class AuditContextView {
  request_id: string;
  ip?: string;
  user_agent?: string;
  method: string;
  path: string;
}

/** One event of the tenant as an audit record, which is a leaf of the tenant's Merkle tree. */
export class AuditEventView {
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Number of the tenant's earlier events, in log order. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  seq: number;
  /** Version of the schema that `data` was written with. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  schema_version: number;
  @ApiProperty({ example: 'policy.updated' })
  action: string;
  /** Type of the event. */
  @ApiProperty({ example: 'PolicyUpdated' })
  type: string;
  @ApiProperty({ enum: [...AUDIT_CATEGORIES] })
  category: AuditCategory;
  /** By the writer's clock. */
  @ApiProperty({ format: 'date-time' })
  occurred_at: string;
  /** By the log's clock; never before that of an earlier record. */
  @ApiProperty({ format: 'date-time' })
  recorded_at: string;
  @ApiProperty({ enum: [...AUDIT_OUTCOMES] })
  outcome: AuditOutcome;
  actor: AuditActorView;
  @ApiProperty({ type: [AuditTargetView] })
  targets: readonly AuditTargetView[];
  /** Fields that the event changed; empty for an event that changes no fields. */
  @ApiProperty({ type: [AuditChangeView] })
  changes: readonly AuditChangeView[];
  /** Null for background work. */
  @ApiProperty({ type: AuditContextView, nullable: true })
  context: AuditContextView | null;
  correlation_id: string;
  causation_id: string;
  stream: string;
  @ApiProperty({ type: 'integer', minimum: 0 })
  revision: number;
  /** Hash of the record before, hex; 64 zeros for the first. */
  prev_hash: string;
  /** Hash of this leaf, hex. */
  hash: string;
  /** Data of the event as stored; digests stand for secrets. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data: Readonly<Record<string, unknown>>;
}

export class AuditEventList {
  @ApiProperty({ type: [AuditEventView] })
  events: readonly AuditEventView[];
  /** The `after` of the next page; null at the end. */
  @ApiProperty({ type: 'integer', nullable: true })
  next: number | null;
}
