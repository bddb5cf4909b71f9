import type { Audience, FailureDetails, SourceDefinition, Stage } from '#contracts';

/** The generation that a sync starts from. */
export interface JobBase {
  readonly generation: number;
  /** Blob hash of its manifest. */
  readonly manifest: string;
  readonly version_ref: string;
}

export interface JobCounters {
  readonly files_processed: number;
  readonly chunks_created: number;
  readonly chunks_updated: number;
  readonly chunks_deleted: number;
}

/** Properties that never change during a job. */
export interface JobTerms {
  readonly job_id: string;
  readonly source_id: string;
  /** URL that the sync reads from, without secrets. */
  readonly url: string;
  /**
   * Revision of the source whose definition and credentials the sync uses; absent in jobs of
   * version 1.
   */
  readonly source_revision?: number | undefined;
  /** Only in jobs of version 1, which contain a copy. */
  readonly definition?: SourceDefinition | undefined;
  readonly generation: number;
  readonly base: JobBase | null;
  readonly max_retries: number;
  /** Audience of the source. Default: its tenant. */
  readonly audience?: Audience | undefined;
  /** Sealed; only in jobs of version 1, which contain a copy. */
  readonly credentials?: string | undefined;
}

/** The output of the index stage, until the index loads it. */
interface StagedGeneration {
  readonly manifest: string;
  readonly version_ref: string;
  readonly file_count: number;
  readonly chunk_count: number;
  /** Absent if it was not measured. */
  readonly bytes?: number;
}

/**
 * State of the job's current stage: `due` (a worker may start it), `waiting` (due at `retry_at`),
 * `started` (a worker holds the lease).
 */
type WorkState =
  | { readonly kind: 'due' }
  | { readonly kind: 'waiting'; readonly retry_at: string }
  | { readonly kind: 'started'; readonly worker: string; readonly progressed: boolean };

/** Progress of a job, open or ended. */
export interface JobProgress {
  readonly stage: Stage;
  /**
   * Number of the due or running attempt; each retry and each loss adds one, over the whole job.
   */
  readonly attempt: number;
  readonly retry_count: number;
  /**
   * Number of workers lost without a released lease: killed, or silent for the length of a lease.
   */
  readonly deaths: number;
  readonly work: WorkState;
  /**
   * The highest progress of any attempt. Only higher values count as progress of a later attempt.
   */
  readonly reached_percent: number;
  /** The output of the last finished stage, which is the input of the current one. */
  readonly artifact: string | null;
  readonly version_ref: string | null;
  readonly counters: JobCounters;
  readonly staged: StagedGeneration | null;
}

export type OpenJob = JobTerms & JobProgress & { readonly status: 'pending' | 'running' };
export type CompletedJob = JobTerms &
  JobProgress & { readonly status: 'completed'; readonly published: JobBase };
export type FailedJob = JobTerms &
  JobProgress & {
    readonly status: 'failed';
    readonly error_message: string;
    readonly error_details: FailureDetails | null;
  };
export type CancelledJob = JobTerms & JobProgress & { readonly status: 'cancelled' };

export type JobState =
  { readonly status: 'absent' } | OpenJob | CompletedJob | FailedJob | CancelledJob;
