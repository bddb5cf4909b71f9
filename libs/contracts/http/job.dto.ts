import { ApiProperty } from '@nestjs/swagger';

import { JOB_STATUSES, type JobStatus } from '../content/statuses.js';
import {
  ATTEMPT_OUTCOMES,
  type AttemptOutcome,
  JOB_STAGES,
  type JobStage,
  type Stage,
  STAGES,
} from '../stages/stage.js';
import { PageQuery } from './page.dto.js';
import { Id } from './validation/list.js';
import { Optional } from './validation/rule.js';
import { Choice } from './validation/text.js';

export class ListJobsQuery extends PageQuery {
  /** Only jobs of this source. */
  @Optional()
  @Id()
  source_id?: string;

  /** Only jobs in this state. */
  @Optional()
  @Choice(...JOB_STATUSES)
  status?: JobStatus;
}

/** One attempt at one stage. */
export class StageAttemptView {
  @ApiProperty({ enum: [...STAGES] })
  stage: Stage;
  /** From 1, counted over the whole job: each retry adds one. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  attempt: number;
  @ApiProperty({ format: 'date-time' })
  started_at: string;
  /** Null while it runs. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at: string | null;
  /** `lost`: its worker was not heard of any more, or stopped, and the stage was done again. */
  @ApiProperty({ enum: [...ATTEMPT_OUTCOMES] })
  outcome: AttemptOutcome;
}

/** A sync job. */
export class JobView {
  id: string;
  source_id: string;
  @ApiProperty({ enum: [...JOB_STATUSES] })
  status: JobStatus;
  @ApiProperty({ enum: [...JOB_STAGES] })
  stage: JobStage;
  /** 0–100. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  progress_percent: number;
  progress_message: string;
  /**
   * Counters of the stages so far, such as `chunks_embedded` and `total_chunks`; those of a stage
   * are there from its start.
   */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number' },
    example: { chunks_embedded: 128, total_chunks: 512 },
  })
  stage_details: Readonly<Record<string, number>>;
  files_processed: number;
  chunks_created: number;
  chunks_updated: number;
  chunks_deleted: number;
  /** Why it failed; null when it did not. */
  @ApiProperty({ type: String, nullable: true })
  error_message: string | null;
  /** On a failed fetch `url` and `status_code`. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  error_details: Readonly<Record<string, unknown>> | null;
  /** Automatic retries so far. */
  retry_count: number;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;
  /** The attempts at its stages, oldest first: the newest 100. */
  timeline: StageAttemptView[];
}

export class JobList {
  jobs: JobView[];
  /** Number of jobs that match the filters. */
  total: number;
}
