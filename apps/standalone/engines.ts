import { openSqliteEventStore, type SqliteEventStore } from '#event-store';
import { createEmbedder, type Embedder } from '#models';
import {
  FsBlobStore,
  FsKeyRing,
  lockDataDir,
  systemClock,
  type BlobStore,
  type Clock,
  type Config,
  type KeyRing,
  type Logger,
} from '#platform';
import { openSqliteWorkQueue, type WorkQueue } from '#queue';
import { ReadModel, openReadModelDataSource } from '#read-model';
import { openSegmentIndex, type SearchIndex } from '#search-index';

import { dataFolders, type DataFolders } from './data-folders.js';

/** Every engine of the one-process set-up, open. */
export interface StandaloneEngines {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly folders: DataFolders;
  readonly eventStore: SqliteEventStore;
  readonly queue: WorkQueue;
  readonly blobs: BlobStore;
  readonly keyRing: KeyRing;
  readonly searchIndex: SearchIndex;
  readonly readModel: ReadModel;
  readonly embedder: Embedder;
  /** Closes everything that was opened, in reverse, and gives the data folder free last. */
  close(): Promise<void>;
}

/**
 * Takes the data folder for this process and opens the embedded engines in it, at the same time where they do not depend
 * on each other. When one of them fails, what was opened is closed again.
 */
export async function openEngines(config: Config, logger: Logger): Promise<StandaloneEngines> {
  const lock = await lockDataDir(config.dataDir);
  const opened = new Opened();
  opened.add(() => lock.release());
  try {
    const folders = dataFolders(config.dataDir);
    const embedder = await createEmbedder({ config, clock: systemClock, logger });
    const blobs = await FsBlobStore.open(folders.blobs);
    const [eventStore, queue, keyRing, searchIndex, readModel] = await opened.all(
      openLog(config, folders, logger).then((store) => opened.closing(store)),
      openSqliteWorkQueue({ directory: folders.queue, logger }).then((queue) => opened.closing(queue)),
      FsKeyRing.open(folders.keys, config.masterKey),
      openIndex(folders, blobs, logger).then((index) => opened.closing(index)),
      openReadModel(folders, logger).then((model) => {
        opened.add(() => model.dataSource.destroy());
        return model;
      }),
    );
    return {
      ...{ config, logger, clock: systemClock, folders, blobs, embedder },
      ...{ eventStore, queue, keyRing, searchIndex, readModel },
      close: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function openLog(config: Config, folders: DataFolders, logger: Logger): Promise<SqliteEventStore> {
  return openSqliteEventStore({
    directory: folders.log,
    logger,
    onFatal: (error) => {
      logger.fatal(
        { err: error, data_dir: config.dataDir },
        'The event log cannot be trusted any more; the process ends',
      );
      process.exit(1);
    },
  });
}

function openIndex(folders: DataFolders, blobs: BlobStore, logger: Logger): Promise<SearchIndex> {
  return openSegmentIndex({
    directory: folders.index,
    readBlob: (hash) => blobs.get(hash),
    onLost: (source, error) => logger.warn({ err: error, ...source }, 'A generation has to be loaded again'),
  });
}

async function openReadModel(folders: DataFolders, logger: Logger): Promise<ReadModel> {
  return new ReadModel(await openReadModelDataSource({ kind: 'pglite', directory: folders.readModels, logger }));
}

/** What has to be closed, in the order it was opened. */
class Opened {
  private readonly steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.steps.push(step);
  }

  closing<T extends { close(): Promise<void> }>(engine: T): T {
    this.add(() => engine.close());
    return engine;
  }

  /** Waits for all, also when one fails: nothing may open after `close`. */
  async all<T extends readonly unknown[]>(...opening: { [Index in keyof T]: Promise<T[Index]> }): Promise<T> {
    await Promise.allSettled(opening);
    return Promise.all(opening);
  }

  async close(): Promise<void> {
    for (const step of this.steps.splice(0).reverse()) await step();
  }
}
