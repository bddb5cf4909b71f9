import { openEngines, requireServers } from '#engines';
import { runProcess, serveHealth, type Config, type Logger } from '#platform';

import { keepFeed } from './feed/keep-feed.js';
import { projectorChecks, projectorMetrics } from './projector-health.js';
import { createProjector } from './projector.js';

/** `npm run start:projector`: keeps read models and search index; of several, one keeps each projection. */
async function start(config: Config, logger: Logger) {
  requireServers(config, 'projector');
  const engines = await openEngines(config, logger, [
    'eventStore',
    'readModel',
    'searchIndex',
    'blobs',
    'queue',
    'feed',
  ]);
  try {
    const projector = createProjector(engines);
    await projector.start();
    const feed = keepFeed(engines);
    const health = await serveHealth({
      ...{ host: config.http.host, port: config.http.port },
      checks: () => projectorChecks(engines, projector, feed),
      metrics: projectorMetrics(projector),
    });
    const stop = async () => {
      await feed.stop();
      await projector.stop();
      await health.close();
      await engines.close();
    };
    return { url: health.url, stop };
  } catch (error) {
    await engines.close();
    throw error;
  }
}

await runProcess('The projector is ready', start);
