import { resolve } from 'node:path';

import { Command } from 'commander';

import { BACKUP_KEYS, type BackupNote } from './backup-operation.js';
import { REASON_OPTION, runOperation } from './run-operation.js';

/** `npm run backup -- DIR`. */
await new Command('backup')
  .description(
    'Copies everything that cannot be rebuilt into a new folder, even while the service runs.',
  )
  .argument('<dir>', 'an empty or new folder')
  .option(...REASON_OPTION)
  .action((dir: string, { reason }: { reason?: string }) => {
    const folder = resolve(dir);
    const print = (result: unknown): undefined => {
      const note = result as BackupNote;
      const head = note.head ? `event ${Number(note.head.position)}` : 'an empty log';
      process.stdout.write(
        `Backed up to ${folder}: the log up to ${head}, ${note.blobs} blobs.\n` +
          `The keys are in ${BACKUP_KEYS}: store that file separately from the rest.\n`,
      );
    };
    return runOperation('backup', { directory: folder }, print, reason);
  })
  .parseAsync();
