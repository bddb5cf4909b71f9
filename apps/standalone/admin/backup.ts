import { resolve } from 'node:path';

import { Command } from 'commander';

import { BACKUP_KEYS, type BackupNote } from './backup-operation.js';
import { runOperation } from './run-operation.js';

/** `npm run backup -- DIR`. */
await new Command('backup')
  .description('Copies what cannot be rebuilt into a new folder, also while the service runs.')
  .argument('<dir>', 'a folder that is empty or does not exist yet')
  .action((dir: string) => {
    const folder = resolve(dir);
    return runOperation('backup', { directory: folder }, (result) => {
      const note = result as BackupNote;
      const head = note.head ? `event ${Number(note.head.position)}` : 'an empty log';
      process.stdout.write(
        `Backed up to ${folder}: the log up to ${head}, ${note.blobs} blobs.\n` +
          `The keys are in ${BACKUP_KEYS}: keep that file apart from the rest.\n`,
      );
      return undefined;
    });
  })
  .parseAsync();
