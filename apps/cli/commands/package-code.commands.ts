import { type Argument, type Command, Option } from 'commander';

import { every } from '#client';
import type { Ecosystem } from '#contracts';

import { collect, definedFields, wholeNumber } from '../options.js';
import type { Session } from '../session.js';
import { type LineRange, linesOption, showFile } from '../show-file.js';
import { showMatches } from '../show-matches.js';

interface Release {
  readonly release?: string;
}

interface GrepOptions extends Release {
  readonly path?: string[];
  readonly language?: string[];
  readonly regex?: true;
  readonly ignoreCase?: true;
  readonly word?: true;
  readonly context?: number;
  readonly limit?: number;
}

interface CatOptions extends Release {
  readonly lines?: LineRange;
}

interface TreeOptions extends Release {
  readonly depth?: number;
  readonly glob?: string;
}

/** The parts of commands that name a release. */
interface ReleaseArguments {
  readonly ecosystem: () => Argument;
  readonly release: () => Option;
}

/** Adds `package grep`, `package cat` and `package tree`. */
export function addPackageCodeCommands(
  packages: Command,
  session: Session,
  { ecosystem, release }: ReleaseArguments,
): void {
  const command = (name: string, description: string) =>
    packages
      .command(name)
      .description(description)
      .addArgument(ecosystem())
      .argument('<name>')
      .addOption(release());
  command('grep', 'Finds every line of a release; exit code 1 without a match.')
    .argument('<pattern>')
    .option('-E, --regex', 'the pattern is a regular expression')
    .option('-i, --ignore-case')
    .option('-w, --word', 'whole words only')
    .option('-p, --path <glob>', 'glob of paths; may be repeated', collect)
    .option('-l, --language <name>', 'language; may be repeated', collect)
    .addOption(new Option('-C, --context <lines>').argParser(wholeNumber))
    .addOption(new Option('-n, --limit <number>', 'matching lines').argParser(wholeNumber))
    .action((kind: Ecosystem, name: string, pattern: string, options: GrepOptions) =>
      grep(session, releaseOf(kind, name, options), pattern, options),
    );
  command('cat', 'Writes a file of a release as it is indexed.')
    .argument('<path>')
    .addOption(linesOption())
    .action((kind: Ecosystem, name: string, path: string, options: CatOptions) =>
      cat(session, releaseOf(kind, name, options), path, options),
    );
  command('tree', 'Lists folders and files of a release.')
    .argument('[path]', 'a folder')
    .addOption(new Option('--depth <number>').argParser(wholeNumber))
    .option('--glob <glob>', 'files of any folder that match')
    .action((kind: Ecosystem, name: string, path: string | undefined, options: TreeOptions) =>
      tree(session, releaseOf(kind, name, options), path, options),
    );
}

/** A release as requests name it. */
type ReleaseFields = ReturnType<typeof releaseOf>;

function releaseOf(ecosystem: Ecosystem, package_name: string, { release: version }: Release) {
  return { ecosystem, package_name, ...definedFields({ version }) };
}

async function grep(
  session: Session,
  release: ReleaseFields,
  pattern: string,
  options: GrepOptions,
): Promise<void> {
  const { path, language, regex, word, context, limit, ignoreCase } = options;
  const fields = {
    regex,
    word,
    path_patterns: path,
    languages: language,
    case_sensitive: !ignoreCase,
    context_lines: context,
    limit,
  };
  const client = await session.client();
  const body = { ...release, pattern, ...definedFields(fields) };
  showMatches(session, await client.packageCode.post({ body, ...session.settings() }));
}

async function cat(
  session: Session,
  release: ReleaseFields,
  path: string,
  { lines }: CatOptions,
): Promise<void> {
  const client = await session.client();
  const isWhole = session.terminal.mode !== 'json' && !lines;
  const query = {
    ...release,
    path,
    ...(lines && { from_line: lines.from, to_line: lines.to }),
    ...(isWhole && ({ format: 'text' } as const)),
  };
  showFile(session, await client.packageFiles.file({ query, ...session.settings() }));
}

async function tree(
  session: Session,
  release: ReleaseFields,
  path: string | undefined,
  { depth, glob }: TreeOptions,
): Promise<void> {
  const client = await session.client();
  const query = { ...release, ...definedFields({ path, depth, glob }) };
  const entries = every(client.packageFiles.tree, 'entries', { query, signal: session.signal });
  await session.terminal.list(entries, ['path', 'kind', 'files', 'language']);
}
