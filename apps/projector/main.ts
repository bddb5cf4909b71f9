import { recordConfiguration, runServerProcess } from '#engines';

import { keepFeed } from './feed/keep-feed.js';
import { createProjector } from './projector.js';
import { projectorChecks, projectorMetrics } from './projector-health.js';

/**
 * `npm run start:projector`: maintains read models and search index; of several processes, one
 * maintains each projection.
 */
await runServerProcess({
  name: 'projector',
  needs: ['eventStore', 'readModel', 'searchIndex', 'blobs', 'feed'],
  async start(engines, { resources, health }) {
    await recordConfiguration(engines, 'projector');
    const projector = resources.stopping(createProjector(engines));
    await projector.start();
    const feed = resources.stopping(keepFeed(engines));
    health.show({
      checks: () => projectorChecks(engines, projector, feed),
      metrics: projectorMetrics(projector, feed),
    });
    return { url: health.url };
  },
});
