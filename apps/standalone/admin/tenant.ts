import { Command } from 'commander';

import type { ErasureReport } from './erase-operation.js';
import { REASON_OPTION, runOperation } from './run-operation.js';

interface WithReason {
  readonly reason?: string;
}

/**
 * `npm run tenant -- create NAME`, `-- key ID`, `-- invite ID`, `-- plan ID PLAN`,
 * `-- hold ID --reason TEXT`, `-- release ID --reason TEXT`, `-- erase ID --confirm NAME`.
 * The others take `--reason TEXT` too.
 */
const program = new Command('tenant').description(
  'Creates tenants, keys for them and invitations of first owners; changes plans; erases tenants.',
);

program
  .command('create')
  .argument('<name>', 'display name of the tenant')
  .description('creates a tenant and prints its id and first key, which has all scopes')
  .option(...REASON_OPTION)
  .action((name: string, { reason }: WithReason) =>
    runOperation('create-tenant', { name }, printKey, reason),
  );

program
  .command('key')
  .argument('<tenant>', 'id of the tenant')
  .description('issues another key with all scopes, if the first was lost')
  .option(...REASON_OPTION)
  .action((tenant: string, { reason }: WithReason) =>
    runOperation('issue-key', { tenant_id: tenant }, printKey, reason),
  );

program
  .command('erase')
  .argument('<tenant>', 'id of the tenant')
  .requiredOption('--confirm <name>', 'name or id of the tenant, as a confirmation')
  .description('destroys everything of a tenant except its events, permanently: docs/erasure.md')
  .option(...REASON_OPTION)
  .action((tenant: string, { confirm, reason }: WithReason & { confirm: string }) =>
    runOperation('erase-tenant', { tenant_id: tenant, confirm }, printErasure, reason),
  );

program
  .command('plan')
  .argument('<tenant>', 'id of the tenant')
  .argument('<plan>', 'name of a plan in QUOTA_PLANS')
  .description('changes the quota plan of the tenant')
  .option(...REASON_OPTION)
  .action((tenant: string, plan: string, { reason }: WithReason) =>
    runOperation('change-plan', { tenant_id: tenant, plan }, printPlan, reason),
  );

program
  .command('invite')
  .argument('<tenant>', 'id of the tenant')
  .description(
    'invites an owner: prints the token for POST /auth/accept, valid for one account and seven days',
  )
  .option(...REASON_OPTION)
  .action((tenant: string, { reason }: WithReason) =>
    runOperation('invite-owner', { tenant_id: tenant }, printToken, reason),
  );

for (const [name, held, description] of [
  ['hold', true, 'sets a legal hold: nothing of the tenant is erased until its release'],
  ['release', false, 'releases the legal hold of the tenant'],
] as const) {
  program
    .command(name)
    .argument('<tenant>', 'id of the tenant')
    .requiredOption('--reason <text>', 'reason of the change; it is sealed')
    .description(description)
    .action((tenant: string, { reason }: { reason: string }) =>
      runOperation('legal-hold', { tenant_id: tenant, held, hold_reason: reason }, printHold),
    );
}

function printHold(result: unknown): undefined {
  const { tenant_id: tenantId, held } = result as { tenant_id: string; held: boolean };
  process.stdout.write(`tenant ${tenantId} is ${held ? 'under' : 'not under'} legal hold
`);
}

function printErasure(result: unknown): undefined {
  const { tenant_id: tenantId, state, is_running: isRunning, destroyed } = result as ErasureReport;
  if (state === 'erasing' || destroyed === null) {
    const rest = isRunning
      ? 'the service destroys the rest, within a few minutes'
      : 'the next start destroys the rest';
    process.stdout.write(`tenant ${tenantId} is rejected everywhere from now on; ${rest}\n`);
    return;
  }
  const { sources, jobs, people, generations, blobs, blob_bytes } = destroyed;
  process.stdout.write(
    `tenant ${tenantId} is erased: its data key, ${sources} sources, ${generations} indexed generations, ` +
      `${blobs} blobs (${blob_bytes} bytes); ${people} accounts were closed and ${jobs} jobs cancelled\n`,
  );
}

function printPlan(result: unknown): undefined {
  const { tenant_id: tenantId, plan } = result as { tenant_id: string; plan: string };
  process.stdout.write(`tenant ${tenantId}\nplan   ${plan}\n`);
}

function printToken(result: unknown): undefined {
  const {
    tenant_id: tenantId,
    token,
    expires_at,
  } = result as { tenant_id: string; token: string; expires_at: string };
  process.stdout.write(`tenant  ${tenantId}\ntoken   ${token}\nexpires ${expires_at}\n`);
}

function printKey(result: unknown): undefined {
  const { tenant_id: tenantId, key } = result as { tenant_id: string; key: string };
  process.stdout.write(`tenant ${tenantId}\nkey    ${key}\n`);
}

await program.parseAsync();
