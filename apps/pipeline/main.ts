import { join } from 'node:path';

import { openEngines, requireServers } from '#engines';
import { runProcess, serveHealth, type Config, type Logger } from '#platform';

import { indexedGenerations } from './indexed-generations.js';
import { pipelineChecks, pipelineMetrics } from './pipeline-health.js';
import { createPipeline } from './pipeline.js';
import { takeScratchFolder } from './scratch-folder.js';

/** `npm run start:pipeline`: works on the stages; several share them, and one of them dispatches. */
async function start(config: Config, logger: Logger) {
  requireServers(config, 'pipeline');
  const engines = await openEngines(config, logger, ['eventStore', 'queue', 'readModel', 'blobs', 'embedder']);
  try {
    const scratch = await takeScratchFolder(join(config.dataDir, 'scratch'));
    const pipeline = createPipeline(
      { ...engines, indexedGenerations: indexedGenerations(engines.readModel) },
      { leases: engines.leases, scratchDirectory: scratch.path },
    );
    await pipeline.start();
    const health = await serveHealth({
      ...{ host: config.http.host, port: config.http.port },
      checks: () => pipelineChecks(engines, pipeline),
      metrics: pipelineMetrics(engines, pipeline),
    });
    const stop = async () => {
      await pipeline.stop();
      await health.close();
      await scratch.remove();
      await engines.close();
    };
    return { url: health.url, stop };
  } catch (error) {
    await engines.close();
    throw error;
  }
}

await runProcess('The pipeline is ready', start);
