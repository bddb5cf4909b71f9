import { Command } from 'commander';

import { createProjector } from '#apps/projector/projector';
import { ALL_ENGINES, openEngines } from '#engines';
import { createLogger, loadConfig } from '#platform';

import { adopt, type AdoptedStore } from './adopt-operation.js';
import { thisOperator } from './operator/operator.js';
import { recordedRun } from './operator/recorded-run.js';
import { REASON_OPTION } from './run-operation.js';

/** `npm run adopt`. Not for a running service, whose processes use the stores as opened. */
await new Command('adopt')
  .description(
    'Binds read models, content, queue, index and keys to the current log, whatever their previous log.',
  )
  .option(...REASON_OPTION)
  .action(async ({ reason }: { reason?: string }) => {
    try {
      const operator = thisOperator(reason);
      const engines = await openEngines(
        loadConfig(),
        createLogger('warn'),
        ALL_ENGINES,
        undefined,
        { adopting: true },
      );
      try {
        const act = { command: 'adopt', operator, tenantId: null };
        const { log, stores } = await recordedRun(engines, act, () =>
          adopt(engines, createProjector(engines)),
        );
        const { place } = engines.identity.places('eventStore');
        process.stdout.write(
          `The event log (${place}) is log ${log}.\n${stores.map(line).join('')}`,
        );
      } finally {
        await engines.close();
      }
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  })
  .parseAsync();

function line({ title, place, state, boundBefore, isRebuilt }: AdoptedStore): string {
  if (state === 'same') return `${title} (${place}): belonged to it already.\n`;
  const from = boundBefore === null ? '' : `, previously to log ${boundBefore}`;
  return `${title} (${place}): now belongs to it${from}${isRebuilt ? '; the next start rebuilds it' : ''}.\n`;
}
