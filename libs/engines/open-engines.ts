import { mkdir } from 'node:fs/promises';

import type { SqliteEventStore } from '#event-store';
import type { SentenceEncoder } from '#models';
import {
  alwaysHeld,
  type Config,
  lockDataDir,
  type Logger,
  openTracer,
  systemClock,
} from '#platform';

import { dataFolders } from './data-folders.js';
import { embeddedEngines } from './engine-set.js';
import type { EngineName, EnginePorts, Engines } from './engines.types.js';
import type { LogIdentity } from './identity/log-identity.js';
import { OpeningIdentity } from './identity/opening-identity.js';
import { storesAmong } from './identity/stores.js';
import {
  openBlobs,
  openChatModel,
  openEmbedder,
  openEncoder,
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
import { Resources } from './resources.js';
import { StartupRetry } from './startup-retry.js';
import { tracedEngines } from './traced-engines.js';

/** The engines of the whole service in one process. */
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
  'sentenceEncoder',
  'feed',
] as const satisfies readonly EngineName[];

export interface OpeningOptions {
  /**
   * Accepts log and stores even if they do not belong together, for a caller that binds them.
   * Default false.
   */
  readonly adopting?: boolean;
  /** Replaces the installed sentence encoder. */
  readonly sentenceEncoder?: SentenceEncoder;
}

/**
 * Opens the engines of a process, each at its configured address, concurrently if they do not
 * depend on each other. The data folder is locked for this process while some engine is embedded in
 * it. If one engine fails, all opened ones are closed again, also late ones. With the log, its
 * stores must belong to it; this is checked before anything is written, dropped or collected.
 * @param retry of unavailable servers. Default: none, the first failure is final.
 * @throws OtherLogError if log and stores do not belong together; EngineStartError with the server
 * that is unavailable or unusable; the embedded engines' own errors.
 */
export async function openEngines<const Need extends EngineName>(
  config: Config,
  logger: Logger,
  needs: readonly Need[],
  retry: StartupRetry = new StartupRetry({ timeoutMs: 0, logger }),
  { adopting = false, sentenceEncoder }: OpeningOptions = {},
): Promise<Engines<Need>> {
  const resources = new Resources();
  const soleProcess = embeddedEngines(config).length > 0;
  try {
    const tracer = await openTracer(config.tracing);
    resources.add(() => tracer.close());
    if (soleProcess) {
      const lock = await lockDataDir(config.dataDir);
      resources.add(() => lock.release());
    } else {
      await mkdir(config.dataDir, { recursive: true });
    }
    const folders = dataFolders(config.dataDir);
    const withLog = (needs as readonly EngineName[]).includes('eventStore');
    const stores = withLog ? storesAmong(needs, config) : [];
    const parts = { config, folders, logger, clock: systemClock, adopting };
    const settle = (found: LogIdentity) => retry.repeat(() => found.settle());
    const identity = new OpeningIdentity(stores, parts, settle);
    // A caller that opens a store without the log uses only that store.
    if (!withLog) identity.begin(null);
    const around: Surroundings = { config, logger, resources, retry, folders, identity };
    const openers = openersOf(around, sentenceEncoder);
    const leases = soleProcess ? Promise.resolve(alwaysHeld()) : openLeases(around);
    const entries = needs.map(async (name) => [name, await openers[name]()] as const);
    const all: Promise<unknown>[] = [leases, ...entries, identity.settled];
    for (const each of all) {
      each.catch((error: unknown) => {
        retry.giveUp(error);
        identity.giveUp(error);
      });
    }
    // All must settle, even if one fails: nothing embedded may open after `close`.
    await Promise.allSettled(all);
    const ports = Object.fromEntries(await Promise.all(entries)) as Pick<EnginePorts, Need>;
    const { eventStore } = ports as Partial<EnginePorts>;
    return {
      ...tracedEngines(ports, tracer),
      config,
      logger,
      tracer,
      clock: systemClock,
      folders,
      leases: await leases,
      identity: await identity.settled,
      embeddedLog:
        config.engines.eventStore === undefined
          ? ((eventStore ?? null) as SqliteEventStore | null)
          : null,
      close: () => resources.close(),
    } as Engines<Need>;
  } catch (error) {
    await resources.close().catch(() => undefined);
    throw error;
  }
}

function openersOf(
  around: Surroundings,
  given: SentenceEncoder | undefined,
): {
  readonly [Name in EngineName]: () => Promise<EnginePorts[Name]>;
} {
  let blobs: ReturnType<typeof openBlobs> | undefined;
  const sharedBlobs = () => (blobs ??= openBlobs(around));
  let encoder: ReturnType<typeof openEncoder> | undefined;
  const sharedEncoder = () => (encoder ??= given ? Promise.resolve(given) : openEncoder(around));
  return {
    eventStore: () => openLog(around),
    readModel: () => openReadModel(around),
    queue: () => openQueue(around),
    searchIndex: () => openIndex(around, sharedBlobs, sharedEncoder),
    blobs: sharedBlobs,
    keyRing: () => openKeyRing(around),
    rateLimiter: () => openRateLimiter(around),
    embedder: () => openEmbedder(around),
    chatModel: () => openChatModel(around),
    sentenceEncoder: sharedEncoder,
    feed: () => openFeed(around),
  };
}
