import { recordConfiguration, runServerProcess } from '#engines';

import { firstStartText } from './lifecycle/first-start-text.js';
import { startApi } from './start-api.js';

/** `npm run start:api`: the API alone, as often as it is needed, over engines on servers. */
const { madeKey, ownerLink } = await runServerProcess({
  name: 'API',
  needs: [
    'eventStore',
    'readModel',
    'searchIndex',
    'blobs',
    'embedder',
    'chatModel',
    'keyRing',
    'rateLimiter',
  ],
  async start(engines, { resources, health }) {
    await recordConfiguration(engines, 'api');
    const api = resources.stopping(
      await startApi(engines, { beforeListening: () => health.close() }),
    );
    await api.untilReady();
    return { url: api.url, madeKey: api.madeKey, ownerLink: api.ownerLink };
  },
});
if (madeKey) process.stderr.write(firstStartText(madeKey, ownerLink));
