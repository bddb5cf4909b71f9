import { ConfigError, createLogger, loadConfig } from '#platform';

import { openForOperator } from './open-for-operator.js';
import { thisOperator } from './operator/operator.js';
import { askOwner, NoOwnerError } from './socket.js';

/** The option of commands that the trail of the operator records. */
export const REASON_OPTION = [
  '--reason <text>',
  'reason of the command, for the trail of the operator; it is sealed',
] as const;

const TIMEOUT_MS = 3_600_000;

/**
 * Runs an operator command: through the running owner of DATA_DIR if there is one, otherwise in
 * this process on the folder. After a failure it prints one sentence and exits with status 1.
 * @param reason why the operator runs it, for the trail of the operator.
 */
export async function runOperation(
  name: string,
  parameters: object,
  print: (result: unknown) => number | undefined,
  reason?: string,
): Promise<void> {
  try {
    const named = { ...parameters, operator: thisOperator(reason) };
    const config = loadConfig();
    const result = await askOwner(config.dataDir, name, named, TIMEOUT_MS).catch(
      async (error: unknown) => {
        if (!(error instanceof NoOwnerError)) throw error;
        const opened = await openForOperator(config, createLogger('warn'));
        try {
          return await opened.run(name, named);
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
