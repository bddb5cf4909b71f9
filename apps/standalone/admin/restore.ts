import { Command } from 'commander';

import { loadConfig, lockDataDir } from '#platform';

import { restore } from './restore-operation.js';

/** `npm run restore -- DIR`. */
await new Command('restore')
  .description(
    'Restores a backup into an empty DATA_DIR; the next start builds the rest from the log.',
  )
  .argument('<dir>', 'a folder that `npm run backup` wrote')
  .action(async (dir: string) => {
    try {
      const { dataDir } = loadConfig();
      const lock = await lockDataDir(dataDir);
      try {
        const note = await restore(dir, dataDir);
        process.stdout.write(`Restored the backup of ${note.taken_at} into ${dataDir}.\n`);
      } finally {
        lock.release();
      }
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  })
  .parseAsync();
