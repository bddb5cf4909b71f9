import { type Command, Option } from 'commander';

import { every } from '#client';

import { collect, definedFields } from '../options.js';
import type { Session } from '../session.js';
import type { VerifyOptions } from '../verify-files.js';

interface ListOptions {
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
  readonly outcome?: 'success' | 'failure' | 'denied';
}

/** Adds `receipt` and `audit`. */
export function addEvidenceCommands(program: Command, session: Session): void {
  addReceipts(program.command('receipt').description('Evidence of answers.'), session);
  addAudit(program.command('audit').description('The audit trail.'), session);
}

function addReceipts(receipt: Command, session: Session): void {
  const { terminal } = session;
  receipt
    .command('show')
    .description('Shows a receipt.')
    .argument('<id>')
    .action(async (receipt_id: string) => {
      const client = await session.client();
      terminal.object(await client.receipts.get({ path: { receipt_id }, ...session.settings() }));
    });
  receipt
    .command('replay')
    .description('Runs the recorded search again; exit code 1 if the answer differs.')
    .argument('<id>')
    .action(async (receipt_id: string) => {
      const client = await session.client();
      const input = { path: { receipt_id }, ...session.settings() };
      const { data, headers } = await client.receipts.replay.full(input);
      const matches = headers.get('x-replay-matches') === 'true';
      if (!matches) session.negative();
      if (terminal.mode === 'json') return terminal.object(data);
      terminal.line(matches ? 'The answer is the recorded one' : 'The answer differs');
      const difference = headers.get('x-replay-difference');
      if (difference !== null) terminal.line(difference);
    });
}

function addAudit(audit: Command, session: Session): void {
  const { terminal } = session;
  audit
    .command('list')
    .description('Lists the records, newest first.')
    .option('--action <action>', 'such as source.registered')
    .option('--from <time>', 'time in ISO 8601')
    .option('--to <time>', 'time in ISO 8601')
    .addOption(new Option('--outcome <outcome>').choices(['success', 'failure', 'denied']))
    .action(async (options: ListOptions) => {
      const { action, from, to, outcome } = options;
      const input = { query: definedFields({ action, from, to, outcome }), ...session.settings() };
      const rows = every((await session.client()).audit.list, 'events', input);
      const columns = ['seq', 'occurred_at', 'action', 'outcome', 'actor', 'id'] as const;
      await terminal.list(rows, columns);
    });
  audit
    .command('show')
    .description('Shows a record.')
    .argument('<id>')
    .action(async (event_id: string) => {
      const client = await session.client();
      terminal.object(await client.audit.get({ path: { event_id }, ...session.settings() }));
    });
  audit
    .command('checkpoint')
    .description('Signs a checkpoint of the trail; keep it to verify exports.')
    .action(async () => {
      const answer = await (await session.client()).auditProofs.sign(session.settings());
      if (terminal.mode === 'json') return terminal.object(answer);
      terminal.raw(answer.checkpoint);
    });
  audit
    .command('export')
    .description('Writes the trail as NDJSON.')
    .action(async () => {
      const input = { query: { format: 'ndjson' }, ...session.settings() } as const;
      const trail = await (await session.client()).auditExport.export(input);
      const parts = trail.stream() as ReadableStream<Uint8Array>;
      for await (const part of parts) await terminal.bytes(part);
    });
  audit
    .command('verify')
    .description('Verifies an export offline; exit code 1 at the first break.')
    .argument('<files...>', 'the export, or its parts in order; - for standard input')
    .option('--checkpoint <file>', 'a checkpoint that you kept; may be repeated', collect)
    .option('--key <file>', 'public keys of the log, one per line; may be repeated', collect)
    .action(async (files: readonly string[], options: VerifyOptions) => {
      const { verifyFiles } = await import('../verify-files.js');
      const report = await verifyFiles(files, options);
      if (!report.valid) session.negative();
      terminal.object(report);
    });
}
