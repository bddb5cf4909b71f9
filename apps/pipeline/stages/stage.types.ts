import type { Stage } from '#contracts';
import type { JobCounterChanges, OpenJob } from '#domain';
import type { Fetchers, PdfParser } from '#ingest';
import type { Embedder } from '#models';
import type { Clock, Config, KeyRing, Logger } from '#platform';

import type { PartStore, StageBlobs } from '../artifacts/attempt-blobs.js';
import type { IndexedGenerations } from '../indexed-generations.js';
import type { ThreadPool } from '../thread-pool/thread-pool.js';
import type { JobSources } from './job-sources.js';
import type { WorkAhead } from './work-ahead.js';

/** Stages that a worker carries out; `finalize` is the dispatcher's. */
export const WORKER_STAGES = [
  'fetch',
  'parse',
  'chunk',
  'embed',
  'index',
] as const satisfies readonly Stage[];
export type WorkerStage = (typeof WORKER_STAGES)[number];

export function isWorkerStage(stage: Stage): stage is WorkerStage {
  return stage !== 'finalize';
}

export type StageDetails = Readonly<Record<string, number>>;

export interface StageProgress {
  /** 0–1 of the stage. */
  readonly fraction: number;
  readonly message: string;
  readonly details: StageDetails;
  readonly counters?: JobCounterChanges;
}

/** The dependencies of one attempt of a stage. */
export interface StageContext {
  readonly tenantId: string;
  readonly job: OpenJob;
  /** Resolves the definition that the job refers to. */
  readonly sources: Pick<JobSources, 'of'>;
  /**
   * Aborted when the job was cancelled, the lease lost, the time is up or the process stops.
   * Checked at every await.
   */
  readonly signal: AbortSignal;
  /** Reports the progress of the stage; cheap, may be called as often as needed. */
  report(progress: StageProgress): void;
  /** Packs and manifests. */
  readonly blobs: StageBlobs;
  /** Parts and listings that one stage leaves for the next. */
  readonly parts: PartStore;
  /** Results of parse, chunk and embed that were computed ahead of them. */
  readonly ahead: Pick<WorkAhead, 'offer' | 'resultOf' | 'preparedOf' | 'handOver'>;
  /** Opens the source's credentials. */
  readonly keyRing: KeyRing;
  /** The index projection's records of generations. */
  readonly indexed: IndexedGenerations;
  readonly pool: ThreadPool;
  readonly embedder: Embedder;
  readonly fetchers: Fetchers;
  readonly pdfs: Pick<PdfParser, 'parse'>;
  readonly config: Pick<Config, 'limits' | 'network' | 'jobs'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Scratch folder of this source alone, stored between syncs on this machine and disposable. */
  readonly scratch: string;
  /** The same for vectors that a model has given and no pack has yet. */
  readonly vectorScratch: string;
}

/** The successful outcome of an attempt. */
export type StageOutcome =
  | {
      readonly kind: 'advanced';
      readonly artifact: string;
      readonly version_ref?: string;
      readonly details: StageDetails;
      readonly counters?: JobCounterChanges;
      /** Bytes of the output for the next stage, where they show how long that one will take. */
      readonly bytes?: number;
    }
  | {
      readonly kind: 'unchanged';
      readonly version_ref: string;
      readonly file_count: number;
      readonly chunk_count: number;
      /** That its content takes; absent where a part of it is not known. */
      readonly bytes?: number;
      readonly details: StageDetails;
    }
  | {
      readonly kind: 'staged';
      readonly manifest: string;
      readonly version_ref: string;
      readonly file_count: number;
      readonly chunk_count: number;
      /** That its content takes; absent where a part of it is not known. */
      readonly bytes?: number;
      readonly details: StageDetails;
      readonly counters: JobCounterChanges;
    };

/**
 * One stage. Idempotent: a repeated attempt comes to the same documents and chunks. Failures that a
 * person should read are thrown as StageFailure; anything else counts as an internal error that may
 * pass.
 */
export type StageFunction = (context: StageContext) => Promise<StageOutcome>;
