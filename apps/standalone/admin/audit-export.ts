import { resolve } from 'node:path';

import { Command } from 'commander';

import type { LogTrailSummary } from './log-trail.js';
import { REASON_OPTION, runOperation } from './run-operation.js';

/** `npm run audit-export -- TENANT --out FILE`. */
await new Command('audit-export')
  .description('Exports the complete audit trail of a tenant from the log, also of an erased one.')
  .argument('<tenant>', 'id of the tenant')
  .requiredOption('--out <file>', 'a new file for the export, as NDJSON')
  .option(...REASON_OPTION)
  .action((tenant: string, { out, reason }: { out: string; reason?: string }) => {
    const file = resolve(out);
    const print = (result: unknown): undefined => {
      const { records, root, checkpoint_size: signed } = result as LogTrailSummary;
      const checkpoint = signed === null ? 'no signed checkpoint' : `checkpoint of ${signed}`;
      process.stdout.write(`${file}: ${records} records, root ${root}, ${checkpoint}\n`);
    };
    return runOperation('export-trail', { tenant_id: tenant, file }, print, reason);
  })
  .parseAsync();
