import { type Command, InvalidArgumentError, Option } from 'commander';

import { every } from '#client';

import { definedFields, wholeNumber } from '../options.js';
import { plainText } from '../plain-text.js';
import type { Session } from '../session.js';
import { sourceId } from '../source-id.js';
import { UsageError } from '../usage-error.js';

interface CatOptions {
  readonly lines?: { readonly from: number; readonly to: number };
  readonly at?: string;
}

interface TreeOptions {
  readonly depth?: number;
  readonly glob?: string;
}

/** Adds `cat` and `tree`. */
export function addFileCommands(program: Command, session: Session): void {
  program
    .command('cat')
    .description('Writes a file of a source as it is indexed.')
    .argument('<source>', 'name, owner/repo or id')
    .argument('<path>')
    .addOption(new Option('--lines <from:to>', 'a range of lines').argParser(lineRange))
    .option('--at <version>', 'version of the source; default: the live one')
    .action((source: string, path: string, options: CatOptions) =>
      cat(session, source, path, options),
    );
  program
    .command('tree')
    .description('Lists folders and files of a source.')
    .argument('<source>', 'name, owner/repo or id')
    .argument('[path]', 'a folder')
    .addOption(new Option('--depth <number>').argParser(wholeNumber))
    .option('--glob <glob>', 'files of any folder that match')
    .action((source: string, path: string | undefined, options: TreeOptions) =>
      tree(session, source, path, options),
    );
}

async function cat(session: Session, name: string, path: string, { lines, at }: CatOptions) {
  const { terminal } = session;
  if (terminal.mode === 'agent') {
    const { runTool } = await import('../run-tool.js');
    if (at !== undefined) throw new UsageError('--agent reads the live version; leave --at out');
    const range = lines && { start_line: lines.from, end_line: lines.to };
    return runTool(session, 'read_file', { source: name, path, ...range });
  }
  const client = await session.client();
  const query = {
    path,
    ...(at !== undefined && { version_ref: at }),
    ...(lines && { from_line: lines.from, to_line: lines.to }),
  };
  const where = { source_id: await sourceId(session, name) };
  if (terminal.mode === 'json' || lines) {
    const view = await client.sourceFiles.file({ path: where, query, ...session.settings() });
    if (typeof view === 'string') throw new TypeError('The service answered with text');
    if (terminal.mode === 'json') return terminal.object(view);
    return view.lines.forEach((each) => terminal.line(shown(session, each)));
  }
  const text = await client.sourceFiles.file({
    path: where,
    query: { ...query, format: 'text' },
    ...session.settings(),
  });
  if (typeof text === 'string') terminal.raw(shown(session, text));
}

/** Returns text as it is for a file or pipe, and with escapes for a terminal. */
function shown({ terminal }: Session, text: string): string {
  return terminal.isInteractive ? plainText(text) : text;
}

async function tree(
  session: Session,
  name: string,
  path: string | undefined,
  { depth, glob }: TreeOptions,
): Promise<void> {
  if (session.terminal.mode === 'agent') {
    const { runTool } = await import('../run-tool.js');
    return runTool(session, 'list_files', {
      source: name,
      ...definedFields({ path, depth, glob }),
    });
  }
  const client = await session.client();
  const input = {
    path: { source_id: await sourceId(session, name) },
    query: definedFields({ path, depth, glob }),
    signal: session.signal,
  };
  await session.terminal.list(every(client.sourceFiles.tree, 'entries', input), [
    'path',
    'kind',
    'files',
    'language',
  ]);
}

function lineRange(text: string): { from: number; to: number } {
  const [, from, to] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  if (from === undefined || to === undefined) {
    throw new InvalidArgumentError('It must be two line numbers, such as 10:20');
  }
  return { from: Number(from), to: Number(to) };
}
