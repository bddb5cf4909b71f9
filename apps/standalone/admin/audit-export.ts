import { resolve } from 'node:path';

import { Command } from 'commander';

import type { LogTrailSummary } from './log-trail.js';
import { runOperation } from './run-operation.js';

/** `npm run audit-export -- TENANT --out FILE`. */
await new Command('audit-export')
  .description('Exports the complete audit trail of a tenant from the log, also of an erased one.')
  .argument('<tenant>', 'id of the tenant')
  .requiredOption('--out <file>', 'a new file for the export, as NDJSON')
  .action((tenant: string, { out }: { out: string }) => {
    const file = resolve(out);
    return runOperation('export-trail', { tenant_id: tenant, file }, (result) => {
      const { records, root, checkpoint_size: signed } = result as LogTrailSummary;
      const checkpoint = signed === null ? 'no signed checkpoint' : `checkpoint of ${signed}`;
      process.stdout.write(`${file}: ${records} records, root ${root}, ${checkpoint}\n`);
      return undefined;
    });
  })
  .parseAsync();
