import { Command } from 'commander';

import { REASON_OPTION, runOperation } from './run-operation.js';

/** `npm run audit-key -- rotate TENANT`. */
const program = new Command('audit-key').description(
  "Manages the keys that sign the checkpoints of tenants' audit trails.",
);

program
  .command('rotate')
  .argument('<tenant>', 'id of the tenant')
  .description('makes a new key the one that signs, and prints its public part')
  .option(...REASON_OPTION)
  .action((tenant: string, { reason }: { reason?: string }) =>
    runOperation('rotate-audit-key', { tenant_id: tenant }, print, reason),
  );

function print(result: unknown): undefined {
  const { tenant_id: tenantId, key } = result as { tenant_id: string; key: string };
  process.stdout.write(`tenant ${tenantId}\nkey    ${key}\n`);
}

await program.parseAsync();
