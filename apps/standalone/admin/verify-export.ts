import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { Command } from 'commander';

import {
  type CheckpointTerms,
  type ExportReport,
  type JoinReport,
  type NoteKey,
  parseVerifierKey,
  verifyParts,
} from '#audit';

interface Options {
  readonly checkpoint: readonly string[];
  readonly key: readonly string[];
  readonly json?: boolean;
}

/** Exit status if something cannot be read, so that nothing was verified. */
const NOT_READ = 2;

/** `npm run verify-export -- FILE`. Exits with 1 at the first break. */
await new Command('verify-export')
  .description('Verifies an export of an audit trail offline: docs/how-to/verify-an-export.md.')
  .argument(
    '<files...>',
    'the export as NDJSON, or its parts in order if downloads broke off; - for standard input',
  )
  .option('--checkpoint <file>', 'a checkpoint that you kept; may be repeated', collect, [])
  .option('--key <key>', 'a key of the log, or a file with one per line', collect, [])
  .option('--json', 'print the report as JSON')
  .action(async (files: readonly string[], options: Options) => {
    try {
      const keys = (await Promise.all(options.key.map(keysOf))).flat();
      const checkpoints = await Promise.all(
        options.checkpoint.map((path) => readFile(path, 'utf8')),
      );
      const report = await verify(files, { keys, checkpoints });
      process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : textOf(report)}\n`);
      process.exitCode = report.valid ? 0 : 1;
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = NOT_READ;
    }
  })
  .parseAsync();

function verify(
  files: readonly string[],
  terms: CheckpointTerms,
): Promise<ExportReport | JoinReport> {
  const parts = files.map((file): AsyncIterable<Uint8Array> =>
    file === '-' ? process.stdin : createReadStream(file),
  );
  return verifyParts(parts, terms);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Returns the keys of an option, which is a key itself or the path of a file. */
async function keysOf(given: string): Promise<readonly NoteKey[]> {
  const own = parseVerifierKey(given);
  if (own) return [own];
  const lines = (await readFile(given, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const key = parseVerifierKey(line.trim());
    if (!key) throw new Error(`${given} must have one key per line (got ${JSON.stringify(line)})`);
    return key;
  });
}

function textOf(report: ExportReport | JoinReport): string {
  const { valid, records, size, root, checkpoint, unchecked_changes, first_break } = report;
  const counts = `records=${records} size=${size} root=${root} checkpoint=${checkpoint}`;
  if (valid) return `valid ${counts} unchecked_changes=${unchecked_changes}`;
  const { kind, seq, line } = first_break ?? {};
  const part = 'broken_part' in report ? `part=${report.broken_part} ` : '';
  return `broken kind=${kind} seq=${seq ?? 'none'} ${part}line=${line} after ${counts}`;
}
