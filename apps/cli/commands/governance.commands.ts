import { type Command, InvalidArgumentError, Option } from 'commander';

import { every } from '#client';

import { collect, definedFields, wholeNumber } from '../options.js';
import type { Session } from '../session.js';
import { UsageError } from '../usage-error.js';

const SCOPES = ['read', 'write', 'audit'] as const;

interface PolicyOptions {
  readonly stalenessBudget?: number;
  readonly minEvidence?: number;
  readonly minScore?: number;
  readonly enforceStaleness?: boolean;
  readonly enforceRefusal?: boolean;
}

interface KeyOptions {
  readonly scope?: string[];
  readonly expires?: string;
}

/** Adds `policy`, `key` and `quota`. */
export function addGovernanceCommands(program: Command, session: Session): void {
  addPolicy(program.command('policy').description('The trust policy.'), session);
  addKeys(program.command('key').description('API keys.'), session);
  program
    .command('quota')
    .description('Shows the limits of the plan and their use.')
    .action(async () => {
      const { usage } = await (await session.client()).quota.usage(session.settings());
      const columns = ['metric', 'window', 'used', 'limit', 'remaining', 'resets_at'] as const;
      await session.terminal.list(each(usage), columns);
    });
}

function addPolicy(policy: Command, session: Session): void {
  const { terminal } = session;
  policy
    .command('show')
    .description('Shows the policy.')
    .action(async () =>
      terminal.object(await (await session.client()).policy.get(session.settings())),
    );
  policy
    .command('set')
    .description('Changes fields of the policy.')
    .addOption(new Option('--staleness-budget <seconds>').argParser(wholeNumber))
    .addOption(new Option('--min-evidence <passages>').argParser(wholeNumber))
    .addOption(new Option('--min-score <score>', 'from 0 to 1').argParser(decimal))
    .addOption(new Option('--enforce-staleness <boolean>').argParser(flag))
    .addOption(new Option('--enforce-refusal <boolean>').argParser(flag))
    .action(async (options: PolicyOptions) => {
      const body = definedFields({
        staleness_budget_seconds: options.stalenessBudget,
        min_evidence_count: options.minEvidence,
        min_evidence_score: options.minScore,
        enforce_staleness: options.enforceStaleness,
        enforce_refusal: options.enforceRefusal,
      });
      if (Object.keys(body).length === 0) throw new UsageError('Name a field to change');
      const client = await session.client();
      terminal.object(await client.policy.update({ body, ...session.settings() }));
    });
  policy
    .command('reset')
    .description('Returns to the default policy.')
    .action(async () =>
      terminal.object(await (await session.client()).policy.reset(session.settings())),
    );
  policy
    .command('history')
    .description('Lists the changes of the policy.')
    .action(async () => {
      const rows = every((await session.client()).policy.history, 'entries', session.settings());
      await terminal.list(rows, ['seq', 'revision', 'occurred_at', 'action', 'actor']);
    });
  policy
    .command('rollback')
    .description('Restores the policy of a revision.')
    .argument('<revision>', 'from the history', wholeNumber)
    .action(async (revision: number) => {
      const client = await session.client();
      terminal.object(await client.policy.rollback({ body: { revision }, ...session.settings() }));
    });
}

function addKeys(key: Command, session: Session): void {
  const { terminal } = session;
  key
    .command('list')
    .description('Lists the keys; their secrets are not stored.')
    .action(async () => {
      const rows = every((await session.client()).keys.list, 'keys', session.settings());
      const columns = ['id', 'name', 'prefix', 'scopes', 'last_used_at', 'revoked_at'] as const;
      await terminal.list(rows, columns);
    });
  key
    .command('create')
    .description('Issues a key and shows it this once.')
    .argument('<name>')
    .option('--scope <scope>', 'read, write or audit; may be repeated', scope)
    .option('--expires <time>', 'time in ISO 8601')
    .action(async (name: string, { scope: scopes, expires }: KeyOptions) => {
      const fields = { scopes: scopes as (typeof SCOPES)[number][] | undefined };
      const body = { name, ...definedFields({ ...fields, expires_at: expires }) };
      const client = await session.client();
      terminal.object(await client.keys.create({ body, ...session.settings() }));
    });
  key
    .command('revoke')
    .description('Revokes a key at once.')
    .argument('<id>')
    .action(async (key_id: string) => {
      await (await session.client()).keys.revoke({ path: { key_id }, ...session.settings() });
    });
}

function scope(value: string, before?: readonly string[]): string[] {
  if (!(SCOPES as readonly string[]).includes(value)) {
    throw new InvalidArgumentError(`It must be one of ${SCOPES.join(', ')}`);
  }
  return collect(value, before);
}

function decimal(text: string): number {
  if (!/^(?:0|1|0?\.\d{1,9}|1\.0)$/.test(text)) {
    throw new InvalidArgumentError('It must be from 0 to 1');
  }
  return Number(text);
}

function flag(text: string): boolean {
  if (text !== 'true' && text !== 'false') {
    throw new InvalidArgumentError('It must be true or false');
  }
  return text === 'true';
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
