import { type RunningApi, startApi } from '#apps/api/start-api';
import { registerCheckpointMetrics } from '#apps/pipeline/checkpoints/checkpoint-metrics';
import { indexedGenerations } from '#apps/pipeline/indexed-generations';
import { createPipeline } from '#apps/pipeline/pipeline';
import { checkpointsCheck, pipelineCheck } from '#apps/pipeline/pipeline-health';
import { keepFeed } from '#apps/projector/feed/keep-feed';
import { createProjector } from '#apps/projector/projector';
import type { Engines, Resources } from '#engines';
import { Refiner } from '#search';

import { adminOperations } from './admin/operations.js';
import { serveAdmin } from './admin/socket.js';

/**
 * Starts the apps: projector, API, the socket of operators' commands and, once the API is ready,
 * the pipeline. A job that crashes the process can therefore be cancelled between a start and its
 * next attempt.
 * @param resources receives everything that must be stopped, also if a later app fails to start.
 */
export async function startApps(engines: Engines, resources: Resources): Promise<RunningApi> {
  const { config, logger } = engines;
  const projector = resources.stopping(createProjector(engines));
  await projector.start();
  resources.stopping(keepFeed(engines));
  const pipeline = resources.stopping(
    createPipeline(
      { ...engines, indexedGenerations: indexedGenerations(engines.readModel) },
      {
        loseAllLeases: engines.leases.soleProcess,
        scratchDirectory: engines.folders.git,
        leases: engines.leases,
      },
    ),
  );
  const api = resources.stopping(
    await startApi(engines, {
      processPart: {
        checks: () => [pipelineCheck(pipeline), checkpointsCheck(pipeline)],
        registerMetrics: (registry) =>
          registerCheckpointMetrics(registry, () => pipeline.health().checkpoints),
      },
    }),
  );
  resources.closing(
    await serveAdmin(config.dataDir, adminOperations(engines, { projector, pipeline }), logger),
  );
  await api.untilReady();
  await pipeline.start();
  const refiner = resources.stopping(
    new Refiner({
      index: engines.searchIndex,
      encoder: engines.sentenceEncoder,
      logger,
      isBusy: () => pipeline.health().open_jobs > 0,
      isSearching: () => api.isSearching(),
    }),
  );
  refiner.start();
  return api;
}
