import { join } from 'node:path';

import { recordConfiguration, runServerProcess } from '#engines';

import { indexedGenerations } from './indexed-generations.js';
import { createPipeline } from './pipeline.js';
import { pipelineChecks, pipelineMetrics } from './pipeline-health.js';
import { takeScratchFolder } from './scratch-folder.js';

/**
 * `npm run start:pipeline`: works on the stages; several share them, and one of them dispatches.
 */
await runServerProcess({
  name: 'pipeline',
  needs: [
    'eventStore',
    'queue',
    'readModel',
    'searchIndex',
    'blobs',
    'keyRing',
    'embedder',
    'chatModel',
  ],
  async start(engines, { resources, health }) {
    await recordConfiguration(engines, 'pipeline');
    const scratch = await takeScratchFolder(join(engines.config.dataDir, 'scratch'));
    resources.add(() => scratch.remove());
    const pipeline = resources.stopping(
      createPipeline(
        { ...engines, indexedGenerations: indexedGenerations(engines.readModel) },
        { leases: engines.leases, scratchDirectory: scratch.path },
      ),
    );
    await pipeline.start();
    health.show({
      checks: () => pipelineChecks(engines, pipeline),
      metrics: pipelineMetrics(engines, pipeline),
    });
    return { url: health.url };
  },
});
