import { closeApi, createApi } from '#apps/api/create-api';
import { Readiness } from '#apps/api/health/readiness';
import { createPipeline } from '#apps/pipeline/pipeline';
import { createProjector } from '#apps/projector/projector';
import { sleep, type Config, type Logger } from '#platform';

import { adminOperations } from './admin/operations.js';
import { serveAdmin } from './admin/socket.js';
import { bootstrapFirstTenant } from './bootstrap.js';
import { openEngines } from './engines.js';
import { indexedGenerations } from './indexed-generations.js';

/** The whole service in this process. */
export interface Service {
  readonly url: string;
  /** The first API key where this start made one on an empty store; shown once. Null where the operator chose it. */
  readonly madeKey: string | null;
  /** Drains requests, lets go of running work so that the next start takes it up, and closes every engine. */
  stop(): Promise<void>;
}

/** Longest wait for the read models to catch up with the log before the start counts as failed. */
const READY_TIMEOUT_MS = 600_000;
const READY_POLL_MS = 10;

/** Starts projector, pipeline and API on embedded engines, in this order, listens, and resolves when requests are served. */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  const engines = await openEngines(config, logger);
  const stopping: (() => Promise<unknown>)[] = [() => engines.close()];
  const stop = async () => {
    for (const step of stopping.splice(0).reverse()) await step();
  };
  try {
    const issued = await bootstrapFirstTenant(engines.eventStore, engines.clock, config.bootstrapApiKey);

    const projector = createProjector(engines);
    stopping.push(() => projector.stop());
    await projector.start();

    const pipeline = createPipeline(
      { ...engines, indexedGenerations: indexedGenerations(engines.readModel) },
      { loseAllLeases: true, scratchDirectory: engines.folders.git },
    );
    stopping.push(() => pipeline.stop());
    await pipeline.start();

    const api = await createApi(engines);
    stopping.push(() => closeApi(api));
    await api.listen(config.http.port, config.http.host);

    const admin = await serveAdmin(config.dataDir, adminOperations(engines, { projector, pipeline }), logger);
    stopping.push(() => admin.close());

    await untilReady(api.get(Readiness));
    return { url: localUrl(await api.getUrl()), madeKey: config.bootstrapApiKey ? null : issued, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReady(readiness: Readiness): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const { status, checks } = await readiness.check();
    if (status === 'ready') return;
    if (performance.now() > deadline) {
      const failing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
      throw new Error(`The service did not become ready: ${failing.join(', ')}`);
    }
    await sleep(READY_POLL_MS);
  }
}

/** A wildcard address is reachable here as loopback. */
function localUrl(url: string): string {
  return url.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
}
