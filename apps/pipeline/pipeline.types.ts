import type { EventStore } from '#event-store';
import type { Fetchers } from '#ingest';
import type { Embedder } from '#models';
import type { BlobStore, Clock, Config, KeyRing, LeaseHolder, Logger } from '#platform';
import type { WorkQueue } from '#queue';

import type { CollectedBlobs } from './collection/blob-collection.js';
import type { IndexedGenerations } from './indexed-generations.js';
import type { StageFunction, WorkerStage } from './stages/stage.types.js';

export interface PipelineDependencies {
  readonly eventStore: EventStore;
  readonly queue: WorkQueue;
  readonly blobs: BlobStore;
  readonly keyRing: KeyRing;
  readonly indexedGenerations: IndexedGenerations;
  readonly embedder: Embedder;
  readonly config: Pick<
    Config,
    | 'jobs'
    | 'limits'
    | 'quota'
    | 'pdf'
    | 'network'
    | 'packages'
    | 'packageSearch'
    | 'github'
    | 'git'
    | 'crawl'
    | 'workerThreads'
    | 'dataDir'
  >;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tells whether the log and the content belong together, both read anew. */
  readonly identity: { confirm(store: 'blobs'): Promise<void> };
}

export interface PipelineOptions {
  /**
   * Declare at the start that no lease is held: true where this process is the only one. Default
   * false.
   */
  readonly loseAllLeases?: boolean;
  /**
   * Decides which of several processes dispatches and supervises. Default: this one, as the only
   * one.
   */
  readonly leases?: LeaseHolder;
  /**
   * Messages of one stage that are worked on at once; a tenant has half of them at most. Default:
   * the configured.
   */
  readonly concurrency?: number;
  /** How long the writer of a first append is given for its second, milliseconds. Default 1,000. */
  readonly graceMs?: number;
  /** From a request for a collection of blobs to its round, milliseconds. Default 2,000. */
  readonly collectAfterMs?: number;
  /**
   * What fetchers keep between syncs, such as bare repositories. Default `scratch/git` in the data
   * folder.
   */
  readonly scratchDirectory?: string;
  /** Folder of the grammars. Default: where the build puts them. */
  readonly grammarsDirectory?: string;
  /** Where the documents of each type of source come from. Default: what this version can read. */
  readonly fetchers?: Fetchers;
  /** What does the work of a stage. Default: the stages of this version. */
  readonly stages?: Partial<Readonly<Record<WorkerStage, StageFunction>>>;
}

export interface PipelineHealth {
  readonly state: 'starting' | 'running' | 'failing' | 'stopped';
  /** Whether this process dispatches and supervises for all. */
  readonly leads: boolean;
  /** Position of the newest event that the dispatcher has considered. */
  readonly position: string | null;
  readonly open_jobs: number;
  /** Since the open job that nobody has moved for the longest time last moved, milliseconds. */
  readonly longest_silence_ms: number;
  readonly error?: string;
}

export interface Pipeline {
  /**
   * Resolves at once; work begins when the history is folded. @throws Error when the domain is not
   * complete.
   */
  start(): Promise<void>;
  /** Ends the consumers, then everything else. What was under way is taken up by the next start. */
  stop(): Promise<void>;
  health(): PipelineHealth;
  /**
   * Removes blobs that nothing needs, as `BlobCollection` says; nothing unless log and content are
   * found to belong together in that very round. Runs by itself hourly, and soon after a job or a
   * source ended that may have left some.
   */
  collect(): Promise<CollectedBlobs>;
  /** Keeps the collection of blobs away while `work` runs; one under way stops. For backups. */
  pauseCollection<T>(work: () => Promise<T>): Promise<T>;
}
