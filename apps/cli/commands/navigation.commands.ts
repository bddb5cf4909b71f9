import { type Command, Option } from 'commander';

import { addSearchFilters, definedFields, type SearchFilters, wholeNumber } from '../options.js';
import { plainText } from '../plain-text.js';
import type { Session } from '../session.js';
import { sourceIds } from '../source-id.js';
import { UsageError } from '../usage-error.js';

/** Time that the service may take for references. */
const TIMEOUT_MS = 10_000;

interface ReferenceOptions extends SearchFilters {
  readonly limit?: number;
}

interface DefinitionOptions extends ReferenceOptions {
  readonly partial?: true;
}

/** Adds `def` and `refs`. */
export function addNavigationCommands(program: Command, session: Session): void {
  addSearchFilters(
    program
      .command('def')
      .description('Finds where a name is defined; exit code 1 without a definition.')
      .argument('<name>')
      .option('--partial', 'also beginnings and humps of names, such as KC')
      .addOption(new Option('-n, --limit <number>', 'definitions').argParser(wholeNumber)),
  ).action((name: string, options: DefinitionOptions) => definitions(session, name, options));
  addSearchFilters(
    program
      .command('refs')
      .description('Finds the uses of a name; exit code 1 without any.')
      .argument('<name>')
      .addOption(
        new Option('-n, --limit <number>', 'lines with references').argParser(wholeNumber),
      ),
  ).action((name: string, options: ReferenceOptions) => references(session, name, options));
}

async function definitions(
  session: Session,
  name: string,
  { partial, ...options }: DefinitionOptions,
): Promise<void> {
  const { terminal } = session;
  if (terminal.mode === 'agent')
    return forAgent(session, 'find_definitions', { name, partial }, options);
  const client = await session.client();
  const filters = await filtersOf(session, options);
  const { signal } = session;
  const answer = partial
    ? await client.codeNavigation.symbols({ query: { query: name, ...filters }, signal })
    : await client.codeNavigation.definitions({ query: { name, ...filters }, signal });
  if (answer.count === 0) session.negative();
  if (terminal.mode === 'json') return terminal.line(JSON.stringify(answer));
  for (const { source_name, path: file, line, start_line, kind, symbol } of answer.definitions) {
    const at = line ?? start_line;
    const place = at === null ? file : `${file}:${at}`;
    terminal.line(plainText(`${source_name} ${place}: ${kind ?? 'definition'} ${symbol}`));
  }
  for (const hint of [...answer.warnings, ...answer.hints]) terminal.note(hint);
  if (answer.next_cursor !== undefined)
    terminal.note('There are more definitions; narrow the search or raise --limit');
}

async function references(
  session: Session,
  name: string,
  options: ReferenceOptions,
): Promise<void> {
  const { terminal, signal } = session;
  if (terminal.mode === 'agent') return forAgent(session, 'find_references', { name }, options);
  const client = await session.client();
  const query = { name, timeout_ms: TIMEOUT_MS, ...(await filtersOf(session, options)) };
  const answer = await client.codeNavigation.references({ query, signal });
  if (answer.count === 0) session.negative();
  if (terminal.mode === 'json') return terminal.line(JSON.stringify(answer));
  for (const { source_name, path, line, column, kind, precision, text } of answer.references) {
    const of = precision === 'resolved' ? `${kind}, resolved` : kind;
    terminal.line(plainText(`${source_name} ${path}:${line}:${column}: ${of}: ${text.trim()}`));
  }
  for (const hint of [...answer.warnings, ...answer.hints]) terminal.note(hint);
  if (answer.next_cursor !== undefined)
    terminal.note('There may be more references; narrow the search or raise --limit');
}

async function filtersOf(session: Session, { source, path, language, limit }: ReferenceOptions) {
  return definedFields({
    source_ids: await sourceIds(session, source),
    path_patterns: path,
    languages: language,
    limit,
  });
}

async function forAgent(
  session: Session,
  tool: string,
  wanted: Readonly<Record<string, unknown>>,
  { source, path, language, limit }: ReferenceOptions,
): Promise<void> {
  const { runTool } = await import('../run-tool.js');
  if (language) throw new UsageError('--agent takes no --language; use --path, such as **/*.py');
  const scope = { source: oneOf('--source', source), path: oneOf('--path', path) };
  return runTool(session, tool, definedFields({ ...wanted, ...scope, limit }));
}

/** Returns the value of an option that a tool takes once. */
function oneOf(option: string, values: readonly string[] | undefined): string | undefined {
  if (values && values.length > 1) throw new UsageError(`--agent takes one ${option}`);
  return values?.[0];
}
