import { Command } from 'commander';

import { runOperation } from './run-operation.js';

/** `npm run tenant -- create NAME`, `npm run tenant -- key TENANT_ID`. */
const program = new Command('tenant').description('Makes tenants and keys for them.');

program
  .command('create')
  .argument('<name>', 'what people call the tenant')
  .description('makes a tenant and prints its id and first key, which has all scopes')
  .action((name: string) => runOperation('create-tenant', { name }, printKey));

program
  .command('key')
  .argument('<tenant>', 'id of the tenant')
  .description('issues a further key with all scopes, for when the first was lost')
  .action((tenant: string) => runOperation('issue-key', { tenant_id: tenant }, printKey));

function printKey(result: unknown): undefined {
  const { tenant_id: tenantId, key } = result as { tenant_id: string; key: string };
  process.stdout.write(`tenant ${tenantId}\nkey    ${key}\n`);
}

await program.parseAsync();
