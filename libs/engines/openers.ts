import { openSqliteEventStore, type EventStore } from '#event-store';
import { createEmbedder, type Embedder } from '#models';
import {
  FsBlobStore,
  FsKeyRing,
  systemClock,
  type BlobStore,
  type Config,
  type KeyRing,
  type LeaseHolder,
  type Logger,
} from '#platform';
import { openSqliteWorkQueue, type EventFeed, type WorkQueue } from '#queue';
import { ReadModel, openReadModelDataSource } from '#read-model';
import { openSegmentIndex, type SearchIndex } from '#search-index';

import type { DataFolders } from './data-folders.js';
import type { Opened } from './opened.js';

/** What every opener works with. */
export interface Surroundings {
  readonly config: Config;
  readonly logger: Logger;
  readonly folders: DataFolders;
  /** Takes what has to be closed. */
  readonly opened: Opened;
}

// The clients of servers are loaded only where their address is set: the embedded service starts without them.

export async function openLog({ config, folders, logger, opened }: Surroundings): Promise<EventStore> {
  const url = config.engines.eventStore;
  if (url !== undefined) {
    const { openEventStoreDb } = await import('#event-store/eventstoredb/eventstoredb-event-store');
    return opened.closing(await openEventStoreDb({ url, logger }));
  }
  const onFatal = (error: Error) => {
    logger.fatal(
      { err: error, data_dir: config.dataDir },
      'The event log cannot be trusted any more; the process ends',
    );
    process.exit(1);
  };
  return opened.closing(await openSqliteEventStore({ directory: folders.log, logger, onFatal }));
}

export async function openReadModel({ config, folders, logger, opened }: Surroundings): Promise<ReadModel> {
  const { postgres } = config.engines;
  const dataSource = await openReadModelDataSource(
    postgres
      ? {
          kind: 'postgres',
          url: postgres.url,
          poolSize: postgres.poolSize,
          logger,
          ...(postgres.adminUrl === undefined ? {} : { adminUrl: postgres.adminUrl }),
        }
      : { kind: 'pglite', directory: folders.readModels, logger },
  );
  opened.add(() => dataSource.destroy());
  return new ReadModel(dataSource);
}

export async function openQueue({ config, folders, logger, opened }: Surroundings): Promise<WorkQueue> {
  const { kafka } = config.engines;
  if (!kafka) return opened.closing(await openSqliteWorkQueue({ directory: folders.queue, logger }));
  const { openKafkaWorkQueue } = await import('#queue/kafka/kafka-work-queue');
  return opened.closing(await openKafkaWorkQueue({ ...kafka, clientId: 'footnote', logger }));
}

/** The feed of events to the outside; null without a broker. */
export async function openFeed({ config, logger, opened }: Surroundings): Promise<EventFeed | null> {
  const { kafka } = config.engines;
  if (!kafka) return null;
  const { openKafkaEventFeed } = await import('#queue/kafka/kafka-event-feed');
  return opened.closing(openKafkaEventFeed({ ...kafka, clientId: 'footnote', logger }));
}

export async function openIndex(
  { config, folders, logger, opened }: Surroundings,
  blobs: () => Promise<BlobStore>,
): Promise<SearchIndex> {
  const { openSearch } = config.engines;
  if (openSearch) {
    const { openOpenSearchIndex } = await import('#search-index/opensearch/opensearch-index');
    return opened.closing(await openOpenSearchIndex({ ...openSearch, logger }));
  }
  const store = await blobs();
  const index = await openSegmentIndex({
    directory: folders.index,
    readBlob: (hash) => store.get(hash),
    onLost: (source, error) => logger.warn({ err: error, ...source }, 'A generation has to be loaded again'),
  });
  return opened.closing(index);
}

export async function openBlobs({ config, folders, logger }: Surroundings): Promise<BlobStore> {
  const { s3 } = config.engines;
  if (!s3) return FsBlobStore.open(folders.blobs);
  const { openS3BlobStore } = await import('#platform/blob-store/s3/s3-blob-store');
  return openS3BlobStore({ ...s3, logger });
}

export async function openKeyRing({ config, folders, opened }: Surroundings): Promise<KeyRing> {
  const { masterKey, engines } = config;
  if (!engines.postgres) return FsKeyRing.open(folders.keys, masterKey);
  if (!masterKey) throw new Error('The configuration was to refuse a shared key ring without MASTER_KEY');
  const { openPostgresKeyRing } = await import('#platform/key-ring/postgres/postgres-key-ring');
  const { url, adminUrl } = engines.postgres;
  return opened.closing(await openPostgresKeyRing({ url, masterKey, ...(adminUrl === undefined ? {} : { adminUrl }) }));
}

/** Leases among several processes, all of which have PostgreSQL. */
export async function openLeases({ config, logger, opened }: Surroundings): Promise<LeaseHolder | undefined> {
  if (!config.engines.postgres) return undefined;
  const { openPostgresLeases } = await import('#platform/lease/postgres/postgres-leases');
  return opened.closing(await openPostgresLeases({ url: config.engines.postgres.url, logger }));
}

export function openEmbedder({ config, logger }: Surroundings): Promise<Embedder> {
  return createEmbedder({ config, clock: systemClock, logger });
}
