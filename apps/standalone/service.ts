import { startApi } from '#apps/api/start-api';
import { indexedGenerations } from '#apps/pipeline/indexed-generations';
import { createPipeline } from '#apps/pipeline/pipeline';
import { keepFeed } from '#apps/projector/feed/keep-feed';
import { createProjector } from '#apps/projector/projector';
import { ALL_ENGINES, openEngines } from '#engines';
import type { Config, Logger } from '#platform';

import { adminOperations } from './admin/operations.js';
import { serveAdmin } from './admin/socket.js';

/** The whole service in this process. */
export interface Service {
  readonly url: string;
  /** The first API key where this start made one on an empty store; shown once. Null where the operator chose it. */
  readonly madeKey: string | null;
  /** Drains requests, lets go of running work so that the next start takes it up, and closes every engine. */
  stop(): Promise<void>;
}

/** Starts projector, pipeline and API on the configured engines, in this order, and resolves when requests are served. */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  const engines = await openEngines(config, logger, ALL_ENGINES);
  const stopping: (() => Promise<unknown>)[] = [() => engines.close()];
  const stop = async () => {
    for (const step of stopping.splice(0).reverse()) await step();
  };
  try {
    const projector = createProjector(engines);
    stopping.push(() => projector.stop());
    await projector.start();

    const feed = keepFeed(engines);
    stopping.push(() => feed.stop());

    const pipeline = createPipeline(
      { ...engines, indexedGenerations: indexedGenerations(engines.readModel) },
      { loseAllLeases: engines.soleProcess, scratchDirectory: engines.folders.git, leases: engines.leases },
    );
    stopping.push(() => pipeline.stop());
    await pipeline.start();

    const api = await startApi(engines);
    stopping.push(() => api.stop());

    const admin = await serveAdmin(config.dataDir, adminOperations(engines, { projector, pipeline }), logger);
    stopping.push(() => admin.close());

    await api.untilReady();
    return { url: api.url, madeKey: api.madeKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
