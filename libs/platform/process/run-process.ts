import { ConfigError } from '../config/config-error.js';
import { type Config, loadConfig } from '../config/load-config.js';
import { createLogger, type Logger } from '../logging/logger.js';
import { QuietMemory } from '../memory/quiet-memory.js';
import { endProcess } from './ends-process.js';
import { useHeapSettings } from './heap-settings.js';

/** Longest graceful stop before the process ends anyway. */
const STOP_TIMEOUT_MS = 30_000;

/** Something that runs until it is asked to stop. */
export interface RunningProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs a process of this service: reads the configuration, starts, logs `ready` with its URL, and
 * stops on SIGTERM and SIGINT. It releases memory while it is quiet. A failed start ends with one
 * sentence; a stack trace is shown only for errors that the operator cannot fix.
 * @param ready completes the log line, such as `Footnote is ready`.
 */
export async function runProcess<T extends RunningProcess>(
  ready: string,
  start: (config: Config, logger: Logger) => Promise<T>,
): Promise<T> {
  useHeapSettings();
  const config = await configuration();
  const logger = createLogger(config.logLevel);
  let running: T | undefined;
  let stopping = false;

  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'process: received a stop signal; stopping');
    setTimeout(
      () => {
        logger.fatal({}, 'process: it did not stop in time; exiting');
        process.exit(1);
      },
      STOP_TIMEOUT_MS + config.shutdownDelaySeconds * 1_000,
    ).unref();
    (running?.stop() ?? Promise.resolve()).then(
      () => endProcess(0),
      (error: unknown) => {
        logger.error({ err: error }, 'process: stopping failed; exiting');
        return endProcess(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));

  try {
    running = await start(config, logger);
  } catch (error) {
    return fail(error);
  }
  logger.info({ url: running.url, pid: process.pid }, ready);
  new QuietMemory().start();
  return running;
}

async function configuration(): Promise<Config> {
  try {
    return loadConfig();
  } catch (error) {
    return fail(error);
  }
}

function fail(error: unknown): Promise<never> {
  const known = error instanceof ConfigError || (error instanceof Error && 'code' in error);
  process.stderr.write(
    `${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  return endProcess(1);
}
