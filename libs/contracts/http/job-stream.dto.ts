import { ApiProperty } from '@nestjs/swagger';

import { JOB_STATUSES, type JobStatus } from '../content/statuses.js';
import { JOB_STAGES, type JobStage } from '../stages/stage.js';

/** Data of the events `progress` and `done` of a job's stream. */
export class JobProgressView {
  job_id: string;
  @ApiProperty({ enum: [...JOB_STATUSES] })
  status: JobStatus;
  @ApiProperty({ enum: [...JOB_STAGES] })
  stage: JobStage;
  /** 0–100. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  progress_percent: number;
  progress_message: string;
  /** Counters of the stage. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
  stage_details: Readonly<Record<string, number>>;
  /** Automatic retries so far. */
  retry_count: number;
  @ApiProperty({ type: String, nullable: true })
  error_message: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  error_details: Readonly<Record<string, unknown>> | null;
}

/** Data of the event `error` of a stream. */
export class StreamErrorView {
  /** A sentence for people. */
  error: string;
  /** Stable and documented in the error catalogue. */
  code: string;
}
