import { mkdir } from 'node:fs/promises';

import type { SqliteEventStore } from '#event-store';
import { alwaysHeld, type Config, lockDataDir, type Logger, systemClock } from '#platform';

import { dataFolders } from './data-folders.js';
import { embeddedEngines } from './engine-set.js';
import type { EngineName, EnginePorts, Engines } from './engines.types.js';
import type { LogIdentity } from './identity/log-identity.js';
import { OpeningIdentity } from './identity/opening-identity.js';
import { storesAmong } from './identity/stores.js';
import { Opened } from './opened.js';
import {
  openBlobs,
  openChatModel,
  openEmbedder,
  openFeed,
  openIndex,
  openKeyRing,
  openLeases,
  openLog,
  openQueue,
  openRateLimiter,
  openReadModel,
  type Surroundings,
} from './openers.js';
import { Patience } from './patience.js';

/** What the whole service in one process needs. */
export const ALL_ENGINES = [
  'eventStore',
  'readModel',
  'queue',
  'searchIndex',
  'blobs',
  'keyRing',
  'rateLimiter',
  'embedder',
  'chatModel',
  'feed',
] as const satisfies readonly EngineName[];

export interface OpeningOptions {
  /**
   * Take log and stores as they are, whether they belong together or not: for whoever binds them
   * anew. Default false.
   */
  readonly adopting?: boolean;
}

/**
 * Opens the engines that a process needs, each where its address says, at the same time where they
 * do not depend on each other. The data folder is taken for this process alone as long as some
 * engine is embedded in it. When one engine fails, what was opened is closed again, and so is what
 * opens after all. Beside a log, its stores have to belong to it: they are asked before anything is
 * written, dropped or collected.
 * @param patience with servers that are away. Default: none, the first failure is final.
 * @throws OtherLogError when log and stores do not belong together; EngineStartError naming the
 * server that is away or cannot be used; the embedded engines' own errors.
 */
export async function openEngines<const Need extends EngineName>(
  config: Config,
  logger: Logger,
  needs: readonly Need[],
  patience: Patience = new Patience({ timeoutMs: 0, logger }),
  { adopting = false }: OpeningOptions = {},
): Promise<Engines<Need>> {
  const opened = new Opened();
  const soleProcess = embeddedEngines(config).length > 0;
  try {
    if (soleProcess) {
      const lock = await lockDataDir(config.dataDir);
      opened.add(() => lock.release());
    } else {
      await mkdir(config.dataDir, { recursive: true });
    }
    const folders = dataFolders(config.dataDir);
    const withLog = (needs as readonly EngineName[]).includes('eventStore');
    const stores = withLog ? storesAmong(needs, config) : [];
    const parts = { config, folders, logger, clock: systemClock, adopting };
    const settle = (found: LogIdentity) => patience.repeat(() => found.settle());
    const identity = new OpeningIdentity(stores, parts, settle);
    // Who opens a store without the log works on that store alone.
    if (!withLog) identity.begin(null);
    const around: Surroundings = { config, logger, opened, patience, folders, identity };
    const openers = openersOf(around);
    const leases = soleProcess ? Promise.resolve(alwaysHeld()) : openLeases(around);
    const entries = needs.map(async (name) => [name, await openers[name]()] as const);
    const all: Promise<unknown>[] = [leases, ...entries, identity.settled];
    for (const each of all) {
      each.catch((error: unknown) => {
        patience.giveUp(error);
        identity.giveUp(error);
      });
    }
    // All have to settle, also when one fails: nothing embedded may open after `close`.
    await Promise.allSettled(all);
    const ports = Object.fromEntries(await Promise.all(entries)) as Pick<EnginePorts, Need>;
    const { eventStore } = ports as Partial<EnginePorts>;
    return {
      ...ports,
      config,
      logger,
      clock: systemClock,
      folders,
      leases: await leases,
      identity: await identity.settled,
      embeddedLog:
        config.engines.eventStore === undefined
          ? ((eventStore ?? null) as SqliteEventStore | null)
          : null,
      close: () => opened.close(),
    } as Engines<Need>;
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

function openersOf(around: Surroundings): {
  readonly [Name in EngineName]: () => Promise<EnginePorts[Name]>;
} {
  let blobs: ReturnType<typeof openBlobs> | undefined;
  const sharedBlobs = () => (blobs ??= openBlobs(around));
  return {
    eventStore: () => openLog(around),
    readModel: () => openReadModel(around),
    queue: () => openQueue(around),
    searchIndex: () => openIndex(around, sharedBlobs),
    blobs: sharedBlobs,
    keyRing: () => openKeyRing(around),
    rateLimiter: () => openRateLimiter(around),
    embedder: () => openEmbedder(around),
    chatModel: () => openChatModel(around),
    feed: () => openFeed(around),
  };
}
