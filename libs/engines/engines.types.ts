import type { EventStore, SqliteEventStore } from '#event-store';
import type { ChatModel, Embedder, SentenceEncoder } from '#models';
import type {
  BlobStore,
  Clock,
  Config,
  KeyRing,
  LeaseHolder,
  Logger,
  RateLimiter,
  Tracer,
} from '#platform';
import type { EventFeed, WorkQueue } from '#queue';
import type { ReadModel } from '#read-model';
import type { SearchIndex } from '#search-index';

import type { DataFolders } from './data-folders.js';
import type { LogIdentity } from './identity/log-identity.js';

/** The engines that a process may request. */
export interface EnginePorts {
  readonly eventStore: EventStore;
  readonly readModel: ReadModel;
  readonly queue: WorkQueue;
  readonly searchIndex: SearchIndex;
  readonly blobs: BlobStore;
  readonly keyRing: KeyRing;
  readonly rateLimiter: RateLimiter;
  readonly embedder: Embedder;
  readonly chatModel: ChatModel;
  /** Embeds sentences after publication; null if none is installed. */
  readonly sentenceEncoder: SentenceEncoder | null;
  /** Publishes events to other systems; null if no broker is configured. */
  readonly feed: EventFeed | null;
}

export type EngineName = keyof EnginePorts;

/** Properties of every process, whatever its engines. */
export interface ProcessSettings {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Records spans; does nothing unless a collector is configured. */
  readonly tracer: Tracer;
  readonly folders: DataFolders;
  /**
   * Decides which process does work that only one may do. If some engine is embedded, this process
   * is the only one.
   */
  readonly leases: LeaseHolder;
  /** Operations of the embedded log only, verification and copy; null if the log is on a server. */
  readonly embeddedLog: SqliteEventStore | null;
  /** Closes everything that was opened, in reverse order, and releases the data folder last. */
  close(): Promise<void>;
}

/** Open engines. */
export type Engines<Need extends EngineName = EngineName> = ProcessSettings &
  Pick<EnginePorts, Need> &
  ('eventStore' extends Need ? WithLog : unknown);

/** The log with its identity check: its stores belong to it, and can be checked again. */
export interface WithLog {
  readonly identity: LogIdentity;
}
