import { ConfigError, createLogger, loadConfig } from '#platform';

import { openForOperator } from './open-for-operator.js';
import { askOwner, NoOwnerError } from './socket.js';

const TIMEOUT_MS = 3_600_000;

/**
 * Runs an operator command: through the running owner of DATA_DIR if there is one, otherwise in
 * this process on the folder. After a failure it prints one sentence and exits with status 1.
 */
export async function runOperation(
  name: string,
  parameters: object,
  print: (result: unknown) => number | undefined,
): Promise<void> {
  try {
    const config = loadConfig();
    const result = await askOwner(config.dataDir, name, parameters, TIMEOUT_MS).catch(
      async (error: unknown) => {
        if (!(error instanceof NoOwnerError)) throw error;
        const opened = await openForOperator(config, createLogger('warn'));
        try {
          return await opened.run(name, parameters as Record<string, unknown>);
        } finally {
          await opened.close();
        }
      },
    );
    process.exitCode = print(result) ?? 0;
  } catch (error) {
    const sentence =
      error instanceof ConfigError || error instanceof Error ? error.message : String(error);
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}
