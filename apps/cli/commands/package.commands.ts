import { type Command, Option } from 'commander';

import { every } from '#client';

import { definedFields } from '../options.js';
import { plainText } from '../plain-text.js';
import type { Session } from '../session.js';
import { addPackageCodeCommands } from './package-code.commands.js';

const ECOSYSTEMS = ['npm', 'pypi', 'cargo', 'maven', 'go'] as const;
type Ecosystem = (typeof ECOSYSTEMS)[number];

interface Release {
  readonly release?: string;
}

/** Adds `package`. */
export function addPackageCommands(program: Command, session: Session): void {
  const { terminal } = session;
  const packages = program.command('package').description('Packages of public registries.');
  const ecosystem = () => packages.createArgument('<ecosystem>').choices(ECOSYSTEMS);
  const release = () => new Option('--release <version>', 'default: the latest');
  packages
    .command('search')
    .description('Searches a release of a package; exit code 1 without evidence.')
    .addArgument(ecosystem())
    .argument('<name>')
    .argument('<query...>')
    .addOption(release())
    .action(
      (kind: Ecosystem, name: string, words: readonly string[], { release: version }: Release) =>
        search(session, { ecosystem: kind, name, version }, words.join(' ')),
    );
  addPackageCodeCommands(packages, session, { ecosystem, release });
  packages
    .command('add')
    .description('Makes searches cover a package.')
    .addArgument(ecosystem())
    .argument('<name>')
    .addOption(release())
    .action(async (kind: Ecosystem, name: string, { release: version }: Release) => {
      const body = { ecosystem: kind, name, ...definedFields({ version }) };
      terminal.object(await (await session.client()).packages.add({ body, ...session.settings() }));
    });
  packages
    .command('list')
    .description('Lists the packages that searches cover.')
    .action(async () => {
      const client = await session.client();
      const columns = ['link_id', 'ecosystem', 'name', 'version', 'status'] as const;
      const rows = every(client.packages.listLinks, 'packages', session.settings());
      await terminal.list(rows, columns);
    });
  packages
    .command('remove')
    .description('Takes a package out of searches.')
    .argument('<link-id>')
    .action(async (link_id: string) => {
      const path = { link_id };
      await (await session.client()).packages.removeLink({ path, ...session.settings() });
    });
}

async function search(
  session: Session,
  wanted: { ecosystem: Ecosystem; name: string; version: string | undefined },
  query: string,
): Promise<void> {
  const { terminal } = session;
  const { ecosystem, name, version } = wanted;
  if (terminal.mode === 'agent') {
    const { runTool } = await import('../run-tool.js');
    const given = { package: name, ecosystem, query, ...definedFields({ version }) };
    return runTool(session, 'search_package', given);
  }
  const body = { query, package_name: name, ecosystem, ...definedFields({ version }) };
  const answer = await (await session.client()).packages.post({ body, ...session.settings() });
  const found = 'results' in answer;
  if (!found || answer.results.length === 0) session.negative();
  if (terminal.mode === 'json') return terminal.object(answer);
  if (!found) return terminal.note(answer.message);
  for (const { citation, content } of answer.results) {
    const { path, start_line, end_line, version_ref } = citation;
    const lines = start_line === undefined ? '' : `:${start_line}-${end_line}`;
    terminal.line(terminal.bold(plainText(`${name} ${path}${lines} @${version_ref}`)));
    terminal.line(plainText(content).replace(/^/gm, '  '));
  }
}
