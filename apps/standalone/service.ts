import { ALL_ENGINES, openEngines, recordConfiguration, Resources, StartupRetry } from '#engines';
import type { Config, Logger } from '#platform';

/** The whole service in this process. */
export interface Service {
  readonly url: string;
  /**
   * The first API key if this start created one in an empty store; shown once. Null if the operator
   * configured it.
   */
  readonly madeKey: string | null;
  /** The one-time link that makes the owner of the first tenant; null if there is none. */
  readonly ownerLink: string | null;
  /**
   * Drains requests, releases running work so that the next start continues it, and closes every
   * engine.
   */
  stop(): Promise<void>;
}

/**
 * Starts projector, API and pipeline on the configured engines, in this order, and resolves when
 * requests are served.
 */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  const resources = new Resources();
  try {
    const retry = new StartupRetry({ timeoutMs: config.startTimeoutSeconds * 1_000, logger });
    const opening = openEngines(config, logger, ALL_ENGINES, retry).then((engines) =>
      resources.closing(engines),
    );
    // The engines open in their own threads while this one loads the apps.
    const [engines, { startApps }] = await Promise.all([opening, import('./start-apps.js')]);
    await recordConfiguration(engines, 'service');
    const api = await startApps(engines, resources);
    const { url, madeKey, ownerLink } = api;
    return { url, madeKey, ownerLink, stop: () => resources.close() };
  } catch (error) {
    await resources.close().catch(() => undefined);
    throw error;
  }
}
