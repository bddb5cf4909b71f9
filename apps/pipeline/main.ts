import { join } from 'node:path';

import { runServerProcess } from '#engines';

import { indexedGenerations } from './indexed-generations.js';
import { createPipeline } from './pipeline.js';
import { pipelineChecks, pipelineMetrics } from './pipeline-health.js';
import { takeScratchFolder } from './scratch-folder.js';

/**
 * `npm run start:pipeline`: works on the stages; several share them, and one of them dispatches.
 */
await runServerProcess({
  name: 'pipeline',
  needs: ['eventStore', 'queue', 'readModel', 'blobs', 'keyRing', 'embedder'],
  async start(engines, { opened, health }) {
    const scratch = await takeScratchFolder(join(engines.config.dataDir, 'scratch'));
    opened.add(() => scratch.remove());
    const pipeline = opened.stopping(
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
