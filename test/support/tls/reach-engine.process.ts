/**
 * Opens an engine with the variables of the process and uses it once: `node reach-engine.process.js
 * ENGINE`. It sends `reached`, or the error, to its parent.
 */
import { type EngineName, type Engines, openEngines } from '#engines';
import { createLogger, loadConfig } from '#platform';
import { listTenants } from '#read-model';

import { TENANT_A } from '../sample-events.js';

const config = loadConfig();
const logger = createLogger('debug');

async function use<const Name extends EngineName>(
  name: Name,
  once: (engines: Engines<Name>) => Promise<unknown>,
): Promise<void> {
  const engines = await openEngines(config, logger, [name]);
  try {
    await once(engines);
  } finally {
    await engines.close();
  }
}

const USES: Readonly<Partial<Record<EngineName, () => Promise<void>>>> = {
  eventStore: () => use('eventStore', ({ eventStore }) => eventStore.head()),
  readModel: () => use('readModel', ({ readModel }) => readModel.asOf('tenants', listTenants)),
  keyRing: () => use('keyRing', ({ keyRing }) => keyRing.seal(TENANT_A, 'test', 'text')),
  queue: () =>
    use('queue', ({ queue }) => queue.publish('tls', [{ id: 'id', key: 'key', body: {} }])),
  feed: () => use('feed', async ({ feed }) => feed?.loadCheckpoint()),
  searchIndex: () => use('searchIndex', ({ searchIndex }) => searchIndex.generations()),
  blobs: () =>
    use('blobs', async ({ blobs }) => blobs.get(await blobs.put(Buffer.from('over TLS')))),
};

async function outcome(): Promise<string> {
  try {
    const asked = USES[process.argv[2] as EngineName];
    if (!asked) return `There is no use of ${process.argv[2]}`;
    await asked();
    return 'reached';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// As a process of the service does, it ends without waiting for what a client left behind.
process.send?.(await outcome(), () => process.exit());
