import { type HealthServer, runProcess, serveHealth } from '#platform';

import { requireServers } from './engine-set.js';
import type { EngineName, Engines } from './engines.types.js';
import { openEngines } from './open-engines.js';
import { Resources } from './resources.js';
import { StartupRetry } from './startup-retry.js';

/** Parts of a process besides its engines. */
export interface ProcessRoom {
  /**
   * Receives resources of the process; they are stopped in reverse order, before the engines are
   * closed.
   */
  readonly resources: Resources;
  /** Answers at the process's address until an API listens there, which closes it. */
  readonly health: HealthServer;
}

/** One of several processes over engines on servers. */
export interface ServerProcess<Need extends EngineName, Started extends { readonly url: string }> {
  /** Completes "The … is ready". */
  readonly name: string;
  readonly needs: readonly Need[];
  /**
   * Starts the process.
   * @returns its address, and further fields for the caller.
   */
  readonly start: (engines: Engines<Need>, room: ProcessRoom) => Promise<Started>;
}

/**
 * Runs a process that shares only servers with others of its service: opens its engines, starts it,
 * and stops it on a signal. It waits for unavailable servers at its start as long as configured,
 * and answers `/health/live` from the first moment.
 */
export async function runServerProcess<
  const Need extends EngineName,
  Started extends { readonly url: string },
>({ name, needs, start }: ServerProcess<Need, Started>): Promise<Started> {
  return runProcess(`The ${name} is ready`, async (config, logger) => {
    requireServers(config, name);
    const resources = new Resources();
    try {
      const retry = new StartupRetry({ timeoutMs: config.startTimeoutSeconds * 1_000, logger });
      const { host, port } = config.http;
      const health = resources.closing(
        await serveHealth({ host, port, starting: () => stateOf(retry) }),
      );
      const engines = resources.closing(await openEngines(config, logger, needs, retry));
      const started = await start(engines, { resources, health });
      return { ...started, stop: () => resources.close() };
    } catch (error) {
      await resources.close().catch(() => undefined);
      throw error;
    }
  });
}

function stateOf({ awaited }: StartupRetry): string {
  return awaited.length === 0 ? 'starting' : `starting, waits for ${awaited.join(', ')}`;
}
