import type { Audience, FailureDetails, Stage } from '#contracts';

import type { JobBase } from './job.state.js';

/** Document and chunk counters of a job; absent ones are unchanged. */
export interface JobCounterChanges {
  readonly files_processed?: number | undefined;
  readonly chunks_created?: number | undefined;
  readonly chunks_updated?: number | undefined;
  readonly chunks_deleted?: number | undefined;
}

/**
 * One attempt of one stage. A command whose stage and attempt do not match those of the job is
 * stale and changes nothing.
 */
interface Work {
  readonly stage: Stage;
  readonly attempt: number;
}

type StageDetails = Readonly<Record<string, number>>;

export interface RequestJob {
  readonly type: 'RequestJob';
  readonly data: {
    readonly job_id: string;
    readonly source_id: string;
    /** URL that the sync reads from, without secrets, because the log keeps it. */
    readonly url: string;
    /** Revision of the source whose definition and credentials the sync uses. */
    readonly source_revision: number;
    /** See `nextGeneration`. */
    readonly generation: number;
    /** See `baseOf`. */
    readonly base: JobBase | null;
    readonly max_retries: number;
    /** Audience of the source. Default: its tenant. */
    readonly audience?: Audience;
  };
}

/**
 * Takes the lease. `worker` is unique to one execution, so that two executions never count as one.
 */
export interface StartStage {
  readonly type: 'StartStage';
  readonly data: Work & { readonly worker: string };
}

export interface RecordProgress {
  readonly type: 'RecordProgress';
  readonly data: Work &
    JobCounterChanges & {
      readonly progress_percent: number;
      readonly progress_message: string;
      readonly stage_details: StageDetails;
    };
}

/** Ends a stage before `index`; `artifact` is its output in the blob store. */
export interface AdvanceStage {
  readonly type: 'AdvanceStage';
  readonly data: Work &
    JobCounterChanges & {
      readonly artifact: string;
      readonly version_ref?: string;
      readonly stage_details: StageDetails;
    };
}

/** Ends the index stage after it stored manifest and packs in the blob store. */
export interface StageGeneration {
  readonly type: 'StageGeneration';
  readonly data: JobCounterChanges & {
    readonly attempt: number;
    readonly manifest: string;
    readonly version_ref: string;
    readonly file_count: number;
    readonly chunk_count: number;
    /** Size of the content in bytes, if it was measured. */
    readonly bytes?: number;
    readonly stage_details: StageDetails;
  };
}

/**
 * Completes a job whose fetch stage found no change. The base stays live under a new `version_ref`,
 * and the counts are those of the base.
 */
export interface CompleteUnchanged {
  readonly type: 'CompleteUnchanged';
  readonly data: {
    readonly attempt: number;
    readonly version_ref: string;
    readonly file_count: number;
    readonly chunk_count: number;
    readonly bytes?: number;
    readonly stage_details: StageDetails;
  };
}

export interface FailStage {
  readonly type: 'FailStage';
  readonly data: Work & {
    readonly error_message: string;
    readonly error_details: FailureDetails | null;
    readonly retryable: boolean;
    /** Time of the next attempt, if there is one (ISO 8601). */
    readonly retry_at: string;
    /** True if the input of the stage is lost: the next attempt begins with the fetch stage. */
    readonly inputLost?: boolean;
  };
}

/** Ends an attempt whose lease expired without a new revision, or whose process is gone. */
export interface LoseStage {
  readonly type: 'LoseStage';
  readonly data: Work & {
    /**
     * True if the holder released the lease because its process stops. This never counts as a
     * retry.
     */
    readonly released?: boolean;
    /**
     * True if the holder released the lease itself, for any reason. This never counts as a death.
     */
    readonly handedBack?: boolean;
  };
}

/** Completes a job after the index loaded the staged generation. */
export interface CompleteJob {
  readonly type: 'CompleteJob';
  readonly data: { readonly loaded_chunk_count: number };
}

export interface FailJob {
  readonly type: 'FailJob';
  readonly data: { readonly error_message: string; readonly error_details: FailureDetails | null };
}

export interface CancelJob {
  readonly type: 'CancelJob';
  readonly data: Readonly<Record<string, never>>;
}

export type JobCommand =
  | RequestJob
  | StartStage
  | RecordProgress
  | AdvanceStage
  | StageGeneration
  | CompleteUnchanged
  | FailStage
  | LoseStage
  | CompleteJob
  | FailJob
  | CancelJob;
