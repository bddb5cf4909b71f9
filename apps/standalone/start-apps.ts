import { startApi, type RunningApi } from '#apps/api/start-api';
import { indexedGenerations } from '#apps/pipeline/indexed-generations';
import { createPipeline } from '#apps/pipeline/pipeline';
import { keepFeed } from '#apps/projector/feed/keep-feed';
import { createProjector } from '#apps/projector/projector';
import type { Engines, Opened } from '#engines';

import { adminOperations } from './admin/operations.js';
import { serveAdmin } from './admin/socket.js';

/**
 * Starts the apps: projector, API and, once this one is ready, the pipeline. What answers operators' commands stands before
 * the pipeline: work that stops this process stops neither requests from being answered once nor an operator's command.
 * @param opened is given what has to be stopped, also when a later app fails to start.
 */
export async function startApps(engines: Engines, opened: Opened): Promise<RunningApi> {
  const { config, logger } = engines;
  const projector = opened.stopping(createProjector(engines));
  await projector.start();
  opened.stopping(keepFeed(engines));
  const pipeline = opened.stopping(
    createPipeline(
      { ...engines, indexedGenerations: indexedGenerations(engines.readModel) },
      { loseAllLeases: engines.leases.soleProcess, scratchDirectory: engines.folders.git, leases: engines.leases },
    ),
  );
  const api = opened.stopping(await startApi(engines));
  opened.closing(await serveAdmin(config.dataDir, adminOperations(engines, { projector, pipeline }), logger));
  await api.untilReady();
  await pipeline.start();
  return api;
}
