import { startApi } from '#apps/api/start-api';
import { indexedGenerations } from '#apps/pipeline/indexed-generations';
import { createPipeline } from '#apps/pipeline/pipeline';
import { keepFeed } from '#apps/projector/feed/keep-feed';
import { createProjector } from '#apps/projector/projector';
import { ALL_ENGINES, Opened, Patience, openEngines } from '#engines';
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
  const opened = new Opened();
  try {
    const patience = new Patience({ timeoutMs: config.startTimeoutSeconds * 1_000, logger });
    const engines = opened.closing(await openEngines(config, logger, ALL_ENGINES, patience));
    const projector = opened.stopping(createProjector(engines));
    await projector.start();
    opened.stopping(keepFeed(engines));
    const pipeline = opened.stopping(
      createPipeline(
        { ...engines, indexedGenerations: indexedGenerations(engines.readModel) },
        { loseAllLeases: engines.leases.soleProcess, scratchDirectory: engines.folders.git, leases: engines.leases },
      ),
    );
    await pipeline.start();
    const api = opened.stopping(await startApi(engines));
    opened.closing(await serveAdmin(config.dataDir, adminOperations(engines, { projector, pipeline }), logger));
    await api.untilReady();
    return { url: api.url, madeKey: api.madeKey, stop: () => opened.close() };
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}
