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

/** What stays the same over a job's life. */
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
  /** Only in jobs of version 1, which copied it. */
  readonly definition?: SourceDefinition | undefined;
  readonly generation: number;
  readonly base: JobBase | null;
  readonly max_retries: number;
  /** Of the source; absent: its tenant. */
  readonly audience?: Audience | undefined;
  /** Sealed; only in jobs of version 1, which copied them. */
  readonly credentials?: string | undefined;
}

/** What the index stage left, waiting for the index to load it. */
interface StagedGeneration {
  readonly manifest: string;
  readonly version_ref: string;
  readonly file_count: number;
  readonly chunk_count: number;
  /** Absent where it was not measured. */
  readonly bytes?: number;
}

/**
 * Where the job's current stage stands: `due` (a worker may start it), `waiting` (due at
 * `retry_at`), `started` (a worker holds the lease).
 */
type WorkState =
  | { readonly kind: 'due' }
  | { readonly kind: 'waiting'; readonly retry_at: string }
  | { readonly kind: 'started'; readonly worker: string; readonly progressed: boolean };

/** How far a job has come, open or ended. */
export interface JobProgress {
  readonly stage: Stage;
  /** Of the due or running work; each retry and each loss adds one, over the whole job. */
  readonly attempt: number;
  readonly retry_count: number;
  /** Number of workers lost without giving the lease back: killed, or silent for a lease. */
  readonly deaths: number;
  readonly work: WorkState;
  /**
   * The highest progress any attempt reached: only what goes beyond it counts as progress of a
   * later attempt.
   */
  readonly reached_percent: number;
  /** What the last finished stage left, the input of the current one. */
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
