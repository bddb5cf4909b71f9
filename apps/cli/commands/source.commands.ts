import { type Command, Option } from 'commander';

import { every } from '#client';

import { followJob } from '../follow-job.js';
import { collect, definedFields, wholeNumber } from '../options.js';
import type { Session } from '../session.js';
import { sourceId } from '../source-id.js';
import { addScipCommands } from './scip.commands.js';

interface AddOptions {
  readonly name?: string;
  readonly type: 'repo' | 'docs' | 'pdf';
  readonly branch?: string;
  readonly format?: 'html' | 'openapi';
  readonly include?: string[];
  readonly exclude?: string[];
  readonly every?: number;
  readonly wait?: true;
}

/** Adds `source` and `job`. */
export function addSourceCommands(program: Command, session: Session): void {
  const { terminal } = session;
  const source = program.command('source').description('Repositories, docs and PDFs.');
  source
    .command('list')
    .description('Lists the sources.')
    .action(async () => {
      if (terminal.mode === 'agent') {
        const { runTool } = await import('../run-tool.js');
        return runTool(session, 'list_sources', {});
      }
      const client = await session.client();
      const columns = ['id', 'name', 'status', 'file_count', 'version_ref', 'url'] as const;
      await terminal.list(every(client.sources.list, 'sources', session.settings()), columns);
    });
  source
    .command('show')
    .description('Shows a source.')
    .argument('<source>', 'name, owner/repo or id')
    .action(async (name: string) => {
      const path = { source_id: await sourceId(session, name) };
      terminal.object(await (await session.client()).sources.get({ path, ...session.settings() }));
    });
  source
    .command('add')
    .description('Registers a source and starts its first sync.')
    .argument('<url>')
    .option('--name <name>', 'default: the last part of the URL')
    .addOption(new Option('--type <type>').choices(['repo', 'docs', 'pdf']).default('repo'))
    .option('--branch <name>', 'branch, tag or commit of a repository')
    .addOption(new Option('--format <format>', 'of docs').choices(['html', 'openapi']))
    .option('--include <glob>', 'may be repeated', collect)
    .option('--exclude <glob>', 'may be repeated', collect)
    .addOption(new Option('--every <seconds>', 'automatic syncs').argParser(wholeNumber))
    .option('--wait', 'follow the sync to its end')
    .action((url: string, options: AddOptions) => add(session, url, options));
  source
    .command('sync')
    .description('Starts a sync.')
    .argument('<source>', 'name, owner/repo or id')
    .option('--wait', 'follow the sync to its end')
    .action(async (name: string, { wait }: { readonly wait?: true }) => {
      await sync(session, await sourceId(session, name), wait === true);
    });
  source
    .command('history')
    .description('Lists the events of a source.')
    .argument('<source>', 'name, owner/repo or id')
    .action(async (name: string) => {
      const input = { path: { source_id: await sourceId(session, name) }, ...session.settings() };
      const client = await session.client();
      const columns = ['seq', 'occurred_at', 'action', 'generation', 'version_ref'] as const;
      await terminal.list(every(client.sources.history, 'entries', input), columns);
    });
  addScipCommands(source, session);
  source
    .command('remove')
    .description('Removes a source with its content.')
    .argument('<source>', 'name, owner/repo or id')
    .action(async (name: string) => {
      const path = { source_id: await sourceId(session, name) };
      await (await session.client()).sources.remove({ path, ...session.settings() });
    });
}

async function add(session: Session, url: string, options: AddOptions): Promise<void> {
  const { type, branch, format, include, exclude, every: seconds, wait } = options;
  const fields = {
    branch,
    docs_format: format,
    include_patterns: include,
    exclude_patterns: exclude,
    sync_interval_seconds: seconds,
  };
  const body = {
    name: options.name ?? nameOf(url),
    source_type: type,
    url,
    ...definedFields(fields),
  };
  const client = await session.client();
  const source = await client.sources.create({ body, ...session.settings() });
  session.terminal.object(source);
  await sync(session, source.id, wait === true);
}

async function sync(session: Session, source_id: string, wait: boolean): Promise<void> {
  const client = await session.client();
  const { job_id } = await client.sources.sync({ path: { source_id }, ...session.settings() });
  if (wait) return followJob(session, job_id);
  if (session.terminal.mode === 'json') session.terminal.object({ job_id });
  else session.terminal.line(job_id);
}

/** Returns the last part of a URL without `.git`. */
function nameOf(url: string): string {
  const [path = url] = url.split(/[?#]/, 1);
  const parts = path.split('/').filter(Boolean);
  return (parts.at(-1) ?? url).replace(/\.git$/, '');
}
