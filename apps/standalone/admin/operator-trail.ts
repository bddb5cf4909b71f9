import { Command } from 'commander';

import type { OperatorRecord } from './operator/operator-trail.js';
import { runOperation } from './run-operation.js';

interface TrailOptions {
  readonly limit: string;
  readonly before?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `npm run operator-trail`. */
await new Command('operator-trail')
  .description('Shows acts of operators, and refused requests that belong to no tenant.')
  .option('--limit <number>', 'records to show, the newest first', '100')
  .option('--before <seq>', 'show records before this one')
  .option('--all', 'show all events of the service itself, such as its jobs')
  .option('--json', 'print the records as JSON, one per line')
  .action(({ limit, before, all = false, json = false }: TrailOptions) => {
    const page = { limit: Number(limit), ...(before !== undefined && { before: Number(before) }) };
    return runOperation('operator-trail', { ...page, all }, (result) => {
      for (const record of result as readonly OperatorRecord[])
        process.stdout.write(`${json ? JSON.stringify(record) : line(record)}\n`);
      return undefined;
    });
  })
  .parseAsync();

function line({ seq, occurred_at, action, outcome, actor, data }: OperatorRecord): string {
  const details = ['command', 'tenant_id', 'code', 'count', 'route', 'reason'].flatMap((name) => {
    const value = data[name];
    return value === undefined || value === null ? [] : [`${name}=${JSON.stringify(value)}`];
  });
  const columns = [
    String(seq).padStart(6),
    occurred_at,
    action.padEnd(26),
    outcome.padEnd(7),
    `${actor.type}:${actor.id}`.padEnd(24),
  ];
  return `${columns.join('  ')}  ${details.join(' ')}`.trimEnd();
}
