import { type Command, Option } from 'commander';

import { wholeNumber } from '../options.js';
import type { Session } from '../session.js';

interface UpOptions {
  readonly port: number;
  readonly dataDir?: string;
  readonly checkout?: string;
  readonly server?: string;
  readonly name: string;
}

/** Adds `up`. */
export function addUpCommand(program: Command, session: Session): void {
  program
    .command('up')
    .description('Starts the service on this machine, and stores its context.')
    .addOption(new Option('--port <port>').argParser(wholeNumber).default(8080))
    .option('--data-dir <folder>', 'default: DATA_DIR, or the folder of the service')
    .option('--checkout <folder>', 'checkout of Footnote; default: that of this command')
    .option('--server <package>', 'tarball or npm specifier of the server to fetch')
    .option('--name <name>', 'name of the context', 'local')
    .action(async (options: UpOptions) => {
      const { startService } = await import('../start-service.js');
      await startService(session, options);
    });
}
