import { type Command, Option } from 'commander';

import { every } from '#client';

import { definedFields, wholeNumber } from '../options.js';
import type { Session } from '../session.js';
import { type LineRange, linesOption, showFile } from '../show-file.js';
import { sourceId } from '../source-id.js';
import { UsageError } from '../usage-error.js';

interface CatOptions {
  readonly lines?: LineRange;
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
    .addOption(linesOption())
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
  const isWhole = terminal.mode !== 'json' && !lines;
  const file = await client.sourceFiles.file({
    path: where,
    query: { ...query, ...(isWhole && { format: 'text' }) },
    ...session.settings(),
  });
  showFile(session, file);
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
