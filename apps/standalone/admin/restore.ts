import { Command } from 'commander';

import { openEngines } from '#engines';
import { type Config, createLogger, loadConfig, lockDataDir } from '#platform';

import { type Operator, thisOperator } from './operator/operator.js';
import { recordedRun } from './operator/recorded-run.js';
import { restore } from './restore-operation.js';
import { REASON_OPTION } from './run-operation.js';

/** `npm run restore -- DIR`. */
await new Command('restore')
  .description(
    'Restores a backup into an empty DATA_DIR; the next start builds the rest from the log.',
  )
  .argument('<dir>', 'a folder that `npm run backup` wrote')
  .option(...REASON_OPTION)
  .action(async (dir: string, { reason }: { reason?: string }) => {
    try {
      const operator = thisOperator(reason);
      const config = loadConfig();
      const { dataDir } = config;
      const lock = await lockDataDir(dataDir);
      const note = await restore(dir, dataDir).finally(() => lock.release());
      await recordRestore(config, operator);
      process.stdout.write(`Restored the backup of ${note.taken_at} into ${dataDir}.\n`);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  })
  .parseAsync();

/**
 * Records the restore in the restored log: before, there was no log to record it in.
 * @throws Error if the log does not accept it; the restored data is complete.
 */
async function recordRestore(config: Config, operator: Operator): Promise<void> {
  const engines = await openEngines(config, createLogger('warn'), ['eventStore', 'keyRing']);
  const act = { command: 'restore', operator, tenantId: null };
  await recordedRun(engines, act, () => Promise.resolve()).finally(() => engines.close());
}
