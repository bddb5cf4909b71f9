import { Command } from 'commander';

import type { DoctorReport } from './doctor-operation.js';
import { runOperation } from './run-operation.js';

const MARKS = { ok: '✔', warning: '!', failed: '✘' } as const;

/** `npm run doctor`. Exits with 1 if a check failed. */
await new Command('doctor')
  .description('Checks configuration, engines and invariants.')
  .option('--json', 'print the report as JSON')
  .action((options: { json?: boolean }) =>
    runOperation('doctor', {}, (result) => {
      const report = result as DoctorReport;
      if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      else
        for (const check of report.checks)
          process.stdout.write(`${MARKS[check.state]} ${check.name}: ${check.detail}\n`);
      return report.ok ? 0 : 1;
    }),
  )
  .parseAsync();
