import { type HealthServer, runProcess, serveHealth } from '#platform';

import { requireServers } from './engine-set.js';
import type { EngineName, Engines } from './engines.types.js';
import { openEngines } from './open-engines.js';
import { Opened } from './opened.js';
import { StartupRetry } from './startup-retry.js';

/** What a process is started with beside its engines. */
export interface ProcessRoom {
  /**
   * Takes what the process has to stop; it is stopped in reverse, before the engines are closed.
   */
  readonly opened: Opened;
  /** Answers at the process's address until an API takes it: closed by whoever listens there. */
  readonly health: HealthServer;
}

/** One of several processes over engines on servers. */
export interface ServerProcess<Need extends EngineName, Started extends { readonly url: string }> {
  /** Completes "The … is ready". */
  readonly name: string;
  readonly needs: readonly Need[];
  /** Starts it. @returns where it answers, and whatever else the caller wants to know. */
  readonly start: (engines: Engines<Need>, room: ProcessRoom) => Promise<Started>;
}

/**
 * Runs a process that shares nothing but servers with the others of its service: opens its engines,
 * starts it, and stops it on a signal. Servers that are away at its start are waited for as long as
 * the configuration says; from its first moment it answers `/health/live`.
 */
export async function runServerProcess<
  const Need extends EngineName,
  Started extends { readonly url: string },
>({ name, needs, start }: ServerProcess<Need, Started>): Promise<Started> {
  return runProcess(`The ${name} is ready`, async (config, logger) => {
    requireServers(config, name);
    const opened = new Opened();
    try {
      const retry = new StartupRetry({ timeoutMs: config.startTimeoutSeconds * 1_000, logger });
      const { host, port } = config.http;
      const health = opened.closing(
        await serveHealth({ host, port, starting: () => stateOf(retry) }),
      );
      const engines = opened.closing(await openEngines(config, logger, needs, retry));
      const started = await start(engines, { opened, health });
      return { ...started, stop: () => opened.close() };
    } catch (error) {
      await opened.close().catch(() => undefined);
      throw error;
    }
  });
}

function stateOf({ awaited }: StartupRetry): string {
  return awaited.length === 0 ? 'starting' : `starting, waits for ${awaited.join(', ')}`;
}
