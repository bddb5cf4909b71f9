import { ConfigError, createLogger, loadConfig, type Config } from '#platform';

import { startService, type Service } from './service.js';

/** Longest a graceful stop may take before the process ends anyway. */
const STOP_TIMEOUT_MS = 30_000;

async function main(): Promise<void> {
  const config = configuration();
  const logger = createLogger(config.logLevel);
  let service: Service | undefined;
  let stopping = false;

  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'Stopping');
    setTimeout(() => {
      logger.fatal({}, 'The service did not stop in time');
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    (service?.stop() ?? Promise.resolve()).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'Stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));

  try {
    service = await startService(config, logger);
  } catch (error) {
    fail(error);
  }
  if (service?.madeKey) {
    process.stderr.write(`\nFirst API key (shown this once): ${service.madeKey}\n\n`);
  }
  logger.info({ url: service?.url, pid: process.pid }, 'Footnote is ready');
}

function configuration(): Config {
  try {
    return loadConfig();
  } catch (error) {
    return fail(error);
  }
}

/** Ends the process with one sentence; a stack trace only for what is not the operator's to mend. */
function fail(error: unknown): never {
  const known = error instanceof ConfigError || (error instanceof Error && 'code' in error);
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

void main();
