import { join } from 'node:path';

import { type EventStore, openSqliteEventStore } from '#event-store';
import {
  type ChatModel,
  createChatModel,
  createEmbedder,
  type Embedder,
  type SentenceEncoder,
} from '#models';
import {
  type BlobStore,
  type BoundToLog,
  type Config,
  FsBlobStore,
  FsKeyRing,
  type KeyRing,
  type LeaseHolder,
  type Logger,
  MemoryRateLimiter,
  type RateLimiter,
  systemClock,
} from '#platform';
import { type EventFeed, openSqliteWorkQueue, type WorkQueue } from '#queue';
import type { ReadModel, ReadModelOptions } from '#read-model';
import { openSegmentIndex, type SearchIndex, segmentIndexBinding } from '#search-index';

import type { DataFolders } from './data-folders.js';
import type { OpeningIdentity } from './identity/opening-identity.js';
import type { Resources } from './resources.js';
import type { StartupRetry } from './startup-retry.js';

/** The environment of every opener. */
export interface Surroundings {
  readonly config: Config;
  readonly logger: Logger;
  readonly folders: DataFolders;
  /** Receives resources to close. */
  readonly resources: Resources;
  /** Opens engines on servers, which may be unavailable. */
  readonly retry: StartupRetry;
  /** Receives the log and the binding of each store, and checks that they belong together. */
  readonly identity: OpeningIdentity;
}

// Clients of servers are loaded only if their address is set, so the embedded service starts
// without them. Engines that `retry` opens are added to the resources in the same step, because an
// attempt may succeed after the start has failed.

export async function openLog(around: Surroundings): Promise<EventStore> {
  const store = await openAnyLog(around);
  around.identity.begin(store);
  return store;
}

async function openAnyLog({
  config,
  folders,
  logger,
  resources,
  retry,
}: Surroundings): Promise<EventStore> {
  const url = config.engines.eventStore;
  if (url !== undefined) {
    const { openEventStoreDb } = await import('#event-store/eventstoredb/eventstoredb-event-store');
    return retry.open('eventStore', async () =>
      resources.closing(await openEventStoreDb({ url, logger })),
    );
  }
  const onFatal = (error: Error) => {
    logger.fatal(
      { err: error, data_dir: config.dataDir },
      'event store: the log cannot be trusted any more; the process ends',
    );
    process.exit(1);
  };
  return resources.closing(await openSqliteEventStore({ directory: folders.log, logger, onFatal }));
}

export async function openReadModel(around: Surroundings): Promise<ReadModel> {
  const { config, folders, logger, resources, retry, identity } = around;
  const { postgres } = config.engines;
  const open = async (options: ReadModelOptions) => {
    // By its path, so that PGlite's thread starts before TypeORM and the tables are loaded.
    const { openReadModelDataSource } = await import('#read-model/data-source/open-data-source');
    const dataSource = await openReadModelDataSource(options);
    resources.add(() => dataSource.destroy());
    const { ProjectionProgress, ReadModel, readModelBinding } = await import('#read-model');
    identity.offer('readModel', { logBinding: readModelBinding(dataSource) });
    if (options.kind === 'pglite') return new ReadModel(dataSource);
    const { PostgresSignals } = await import('#read-model/progress/postgres-signals');
    const progress = new ProjectionProgress();
    const signals = resources.closing(new PostgresSignals({ url: options.url, progress, logger }));
    return new ReadModel(dataSource, progress, signals);
  };
  if (!postgres) return open({ kind: 'pglite', directory: folders.readModels, logger });
  const { url, adminUrl, poolSize } = postgres;
  return retry.open('postgres', () =>
    open({
      kind: 'postgres',
      url,
      poolSize,
      logger,
      ...(adminUrl === undefined ? {} : { adminUrl }),
    }),
  );
}

export async function openQueue(around: Surroundings): Promise<WorkQueue> {
  const queue = await openAnyQueue(around);
  around.identity.offer('queue', queue);
  return queue;
}

async function openAnyQueue(around: Surroundings): Promise<WorkQueue & BoundToLog> {
  const { config, folders, logger, resources, retry } = around;
  const { kafka } = config.engines;
  if (!kafka)
    return resources.closing(await openSqliteWorkQueue({ directory: folders.queue, logger }));
  const { openKafkaWorkQueue } = await import('#queue/kafka/kafka-work-queue');
  const options = { ...kafka, clientId: 'footnote', logger };
  return retry.open('kafka', async () => resources.closing(await openKafkaWorkQueue(options)));
}

/**
 * Opens the feed of events; null without a broker. The start does not wait for it: it connects on
 * first use.
 */
export async function openFeed({
  config,
  logger,
  resources,
  identity,
}: Surroundings): Promise<EventFeed | null> {
  const { kafka } = config.engines;
  if (!kafka) return null;
  const { openKafkaEventFeed } = await import('#queue/kafka/kafka-event-feed');
  const beforeUse = () => identity.admit('feed');
  const feed = resources.closing(
    openKafkaEventFeed({ ...kafka, clientId: 'footnote', logger, beforeUse }),
  );
  identity.offer('feed', feed);
  return feed;
}

export async function openIndex(
  { config, folders, logger, resources, retry, identity }: Surroundings,
  blobs: () => Promise<BlobStore>,
  encoder: () => Promise<SentenceEncoder | null>,
): Promise<SearchIndex> {
  const { openSearch } = config.engines;
  if (openSearch) {
    const { openOpenSearchIndex } = await import('#search-index/opensearch/opensearch-index');
    const beforeChange = () => identity.admit('searchIndex');
    const remote = await retry.open('openSearch', async () =>
      resources.closing(await openOpenSearchIndex({ ...openSearch, logger, beforeChange })),
    );
    identity.offer('searchIndex', remote);
    return remote;
  }
  identity.offer('searchIndex', { logBinding: await segmentIndexBinding(folders.index) });
  const [store, sentences] = [await blobs(), await encoder()];
  const index = await openSegmentIndex({
    directory: folders.index,
    threads: config.searchThreads,
    spareThreads: config.spareSearchThreads,
    readBlob: (hash) => store.get(hash),
    ...(sentences && {
      sentences: {
        directory: join(folders.sentences, sentences.id),
        encoder: sentences.id,
        dimensions: sentences.dimensions,
      },
    }),
    beforeChange: () => identity.settled,
    onLost: (source, error) =>
      logger.warn(
        { err: error, ...source },
        'search index: a generation was lost; loading it again',
      ),
  });
  return resources.closing(index);
}

export async function openBlobs(around: Surroundings): Promise<BlobStore> {
  const store = await openAnyBlobs(around);
  around.identity.offer('blobs', store);
  return store;
}

async function openAnyBlobs({
  config,
  folders,
  logger,
  retry,
}: Surroundings): Promise<BlobStore & BoundToLog> {
  const { s3 } = config.engines;
  if (!s3) return FsBlobStore.open(folders.blobs);
  const { openS3BlobStore } = await import('#platform/blob-store/s3/s3-blob-store');
  return retry.open('s3', () => openS3BlobStore({ ...s3, logger }));
}

export async function openKeyRing(around: Surroundings): Promise<KeyRing> {
  const ring = await openAnyKeyRing(around);
  around.identity.offer('keyRing', ring);
  return ring;
}

async function openAnyKeyRing({
  config,
  folders,
  resources,
  retry,
}: Surroundings): Promise<KeyRing & BoundToLog> {
  const { masterKey, engines } = config;
  if (!engines.postgres) return FsKeyRing.open(folders.keys, masterKey);
  if (!masterKey)
    throw new Error('The configuration should have rejected a shared key ring without MASTER_KEY');
  const { openPostgresKeyRing } = await import('#platform/key-ring/postgres/postgres-key-ring');
  const { url, adminUrl } = engines.postgres;
  const options = { url, masterKey, ...(adminUrl === undefined ? {} : { adminUrl }) };
  return retry.open('postgres', async () => resources.closing(await openPostgresKeyRing(options)));
}

/**
 * Opens the rate limiter. With several processes, which all use PostgreSQL, its limits apply to all
 * of them.
 */
export async function openRateLimiter({
  config,
  logger,
  resources,
  retry,
}: Surroundings): Promise<RateLimiter> {
  const { postgres } = config.engines;
  if (!postgres) return resources.closing(new MemoryRateLimiter({ clock: systemClock }));
  const { openPostgresRateLimiter } =
    await import('#platform/rate-limit/postgres/postgres-rate-limiter');
  const { url, adminUrl } = postgres;
  const options = {
    url,
    clock: systemClock,
    logger,
    ...(adminUrl === undefined ? {} : { adminUrl }),
  };
  return retry.open('postgres', async () =>
    resources.closing(await openPostgresRateLimiter(options)),
  );
}

/** Opens the leases of several processes, all of which use PostgreSQL. */
export async function openLeases({
  config,
  logger,
  resources,
  retry,
}: Surroundings): Promise<LeaseHolder> {
  const { postgres } = config.engines;
  if (!postgres) throw new Error('Leases of several processes need PostgreSQL');
  const { openPostgresLeases } = await import('#platform/lease/postgres/postgres-leases');
  return retry.open('postgres', async () =>
    resources.closing(await openPostgresLeases({ url: postgres.url, logger })),
  );
}

export function openEmbedder({ config, logger }: Surroundings): Promise<Embedder> {
  return createEmbedder({ config, clock: systemClock, logger });
}

/**
 * Opens the installed sentence encoder; null without one. OpenSearch stores no vectors of
 * sentences, so it has none.
 */
export async function openEncoder({
  config,
  folders,
  logger,
  resources,
}: Surroundings): Promise<SentenceEncoder | null> {
  if (config.engines.openSearch) return null;
  const { openSentenceEncoder } = await import('#models/sentence/open-sentence-encoder');
  const encoder = await openSentenceEncoder(folders.models, logger);
  if (encoder) return resources.closing(encoder);
  logger.info(
    {},
    'sentence encoder: not installed; `npm run model -- install bge-small-en-v1.5` lets searches find passages in other words',
  );
  return null;
}

export function openChatModel({ config, logger }: Surroundings): Promise<ChatModel> {
  return createChatModel({ config, clock: systemClock, logger });
}
