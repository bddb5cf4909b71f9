import { ApiProperty } from '@nestjs/swagger';

import { AuditActorView, AuditChangeView } from './audit.dto.js';
import { OrderedSeqPageQuery } from './page.dto.js';

/** A page of the history of a resource. */
export class HistoryQuery extends OrderedSeqPageQuery {}

/** One change of a resource; the record of the audit trail has the rest. */
export class HistoryEntryView {
  /** Number of the record in the audit trail; `as_of_seq` takes it. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  seq: number;
  /** Id of the record in the audit trail. */
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'policy.updated' })
  action: string;
  /** Revision of the stream of the resource, or of its job. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  revision: number;
  /** By the writer's clock. */
  @ApiProperty({ format: 'date-time' })
  occurred_at: string;
  /** By the log's clock; never before that of an earlier entry. */
  @ApiProperty({ format: 'date-time' })
  recorded_at: string;
  actor: AuditActorView;
  /** Null for background work. */
  @ApiProperty({ type: String, nullable: true })
  request_id: string | null;
  /** Fields that changed. */
  @ApiProperty({ type: [AuditChangeView] })
  changes: readonly AuditChangeView[];
}

export class HistoryList {
  @ApiProperty({ type: [HistoryEntryView] })
  entries: readonly HistoryEntryView[];
  /** The `after` of the next page; null at the end. */
  @ApiProperty({ type: 'integer', nullable: true })
  next: number | null;
}

/** One change of a source or of its content. */
export class SourceHistoryEntryView extends HistoryEntryView {
  /** Generation that was published or dropped; null for other entries. */
  @ApiProperty({ type: 'integer', nullable: true })
  generation: number | null;
  /** Version of the published content, such as a commit; null for other entries. */
  @ApiProperty({ type: String, nullable: true })
  version_ref: string | null;
  /** Job of a sync; null for other entries. */
  @ApiProperty({ type: String, nullable: true })
  job_id: string | null;
}

export class SourceHistoryList {
  @ApiProperty({ type: [SourceHistoryEntryView] })
  entries: readonly SourceHistoryEntryView[];
  /** The `after` of the next page; null at the end. */
  @ApiProperty({ type: 'integer', nullable: true })
  next: number | null;
}
