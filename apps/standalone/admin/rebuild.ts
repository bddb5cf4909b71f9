import { Command } from 'commander';

import { REASON_OPTION, runOperation } from './run-operation.js';

/** `npm run rebuild`. */
await new Command('rebuild')
  .description(
    'Rebuilds the read models and the index from the log, next to the old ones, and switches.',
  )
  .option(...REASON_OPTION)
  .action(({ reason }: { reason?: string }) => {
    const print = (result: unknown): undefined => {
      for (const row of result as readonly {
        name: string;
        events: number;
        milliseconds: number;
      }[]) {
        process.stdout.write(
          `${row.name}: ${row.events} events in ${(row.milliseconds / 1000).toFixed(1)} s\n`,
        );
      }
    };
    return runOperation('rebuild', {}, print, reason);
  })
  .parseAsync();
