import type { EventStore } from '#event-store';
import type { Fetchers } from '#ingest';
import type { ChatModel, Embedder } from '#models';
import type { BlobStore, Clock, Config, KeyRing, LeaseHolder, Logger, Tracer } from '#platform';
import type { WorkQueue } from '#queue';
import type { ReadModel } from '#read-model';
import type { SearchIndex } from '#search-index';

import type { CheckpointHealth } from './checkpoints/checkpoint-health.js';
import type { IndexedGenerations } from './indexed-generations.js';
import type { StageFunction, WorkerStage } from './stages/stage.types.js';

export interface PipelineDependencies {
  readonly eventStore: EventStore;
  readonly queue: WorkQueue;
  readonly blobs: BlobStore;
  readonly keyRing: KeyRing;
  readonly indexedGenerations: IndexedGenerations;
  /** Searched by rover jobs. */
  readonly searchIndex: SearchIndex;
  /** The audit records, whose trees are signed. */
  readonly readModel: Pick<ReadModel, 'ask' | 'asOf' | 'waitFor'>;
  readonly embedder: Embedder;
  /** Plans and drafts in rover jobs. Default: the rules do. */
  readonly chatModel?: ChatModel;
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer;
  readonly identity: {
    /** Rejects unless log and content, both read again, belong together. */
    confirm(store: 'blobs'): Promise<void>;
    /** Returns the identity of the log, read again; null for an empty log. */
    logId(): Promise<string | null>;
  };
}

/** Result of one collection of blobs. */
export interface CollectedBlobs {
  readonly removed: number;
  readonly bytes: number;
}

export interface PipelineOptions {
  /** Declares all leases lost at the start; for a process that is the only one. Default false. */
  readonly loseAllLeases?: boolean;
  /** Decides which of several processes runs the reactors. Default: this one, as the only one. */
  readonly leases?: LeaseHolder;
  /** Messages of one stage processed at once, half of them per tenant. Default: configuration. */
  readonly concurrency?: number;
  /** Time that the writer of a first append has for its second, milliseconds. Default 1,000. */
  readonly graceMs?: number;
  /** Pause between the request for a collection of blobs and its round, ms. Default 2,000. */
  readonly collectAfterMs?: number;
  /** Folder for files kept between syncs, such as bare repositories. Default: in DATA_DIR. */
  readonly scratchDirectory?: string;
  /** Folder of the grammars. Default: that of the build. */
  readonly grammarsDirectory?: string;
  /** Fetchers by source type. Default: all that this version has. */
  readonly fetchers?: Fetchers;
  /** Functions of the stages. Default: those of this version. */
  readonly stages?: Partial<Readonly<Record<WorkerStage, StageFunction>>>;
}

export interface PipelineHealth {
  readonly state: 'starting' | 'running' | 'failing' | 'stopped';
  /** True if this process runs the reactors for all. */
  readonly leads: boolean;
  /** Position up to which the log is folded. */
  readonly position: string | null;
  readonly open_jobs: number;
  /** Longest time since an open job last progressed, milliseconds. */
  readonly longest_silence_ms: number;
  readonly checkpoints: CheckpointHealth;
  readonly error?: string;
}

export interface Pipeline {
  /**
   * Resolves at once; work begins when the history is folded.
   * @throws Error if the domain is not complete.
   */
  start(): Promise<void>;
  /** Ends the consumers, then everything else. The next start continues unfinished work. */
  stop(): Promise<void>;
  health(): PipelineHealth;
  /**
   * Removes unused blobs (see `BlobCollection`), provided that log and content belong together. A
   * round also runs hourly, and soon after the end of a job or source that may have left some.
   */
  collect(): Promise<CollectedBlobs>;
  /** Prevents and interrupts the collection of blobs while `work` runs. For backups. */
  pauseCollection<T>(work: () => Promise<T>): Promise<T>;
}
