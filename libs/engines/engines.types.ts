import type { EventStore, SqliteEventStore } from '#event-store';
import type { ChatModel, Embedder } from '#models';
import type {
  BlobStore,
  Clock,
  Config,
  KeyRing,
  LeaseHolder,
  Logger,
  RateLimiter,
} from '#platform';
import type { EventFeed, WorkQueue } from '#queue';
import type { ReadModel } from '#read-model';
import type { SearchIndex } from '#search-index';

import type { DataFolders } from './data-folders.js';
import type { LogIdentity } from './identity/log-identity.js';

/** The engines that a process may ask for. */
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
  /** Publishes the events to the outside; null where no broker is configured. */
  readonly feed: EventFeed | null;
}

export type EngineName = keyof EnginePorts;

/** What every process has, whatever engines it asked for. */
export interface ProcessSettings {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly folders: DataFolders;
  /**
   * Decides which process does what must have one doer. Where some engine is embedded, there is no
   * other than this one.
   */
  readonly leases: LeaseHolder;
  /**
   * The embedded log's own operations, verification and copy; null where the log is on a server.
   */
  readonly embeddedLog: SqliteEventStore | null;
  /** Closes everything that was opened, in reverse, and gives the data folder free last. */
  close(): Promise<void>;
}

/** Open engines. */
export type Engines<Need extends EngineName = EngineName> = ProcessSettings &
  Pick<EnginePorts, Need> &
  ('eventStore' extends Need ? WithLog : unknown);

/**
 * What comes with the log: that the stores beside it belong to it was seen to, and can be asked
 * again.
 */
export interface WithLog {
  readonly identity: LogIdentity;
}
