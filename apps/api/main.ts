import { openEngines, requireServers } from '#engines';
import { runProcess, type Config, type Logger } from '#platform';

import { startApi } from './start-api.js';

/** `npm run start:api`: the API alone, as often as it is needed, over engines on servers. */
async function start(config: Config, logger: Logger) {
  requireServers(config, 'API');
  const engines = await openEngines(config, logger, ['eventStore', 'readModel', 'searchIndex', 'embedder', 'keyRing']);
  try {
    const api = await startApi(engines);
    await api.untilReady();
    const stop = async () => {
      await api.stop();
      await engines.close();
    };
    return { url: api.url, madeKey: api.madeKey, stop };
  } catch (error) {
    await engines.close();
    throw error;
  }
}

const { madeKey } = await runProcess('The API is ready', start);
if (madeKey) process.stderr.write(`\nFirst API key (shown this once): ${madeKey}\n\n`);
