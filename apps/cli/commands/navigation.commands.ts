import { type Command, Option } from 'commander';

import { addSearchFilters, definedFields, type SearchFilters, wholeNumber } from '../options.js';
import { plainText } from '../plain-text.js';
import type { Session } from '../session.js';
import { sourceIds } from '../source-id.js';
import { UsageError } from '../usage-error.js';

interface DefinitionOptions extends SearchFilters {
  readonly partial?: true;
  readonly limit?: number;
}

/** Adds `def`. */
export function addNavigationCommands(program: Command, session: Session): void {
  addSearchFilters(
    program
      .command('def')
      .description('Finds where a name is defined; exit code 1 without a definition.')
      .argument('<name>')
      .option('--partial', 'also beginnings and humps of names, such as KC')
      .addOption(new Option('-n, --limit <number>', 'definitions').argParser(wholeNumber)),
  ).action((name: string, options: DefinitionOptions) => definitions(session, name, options));
}

async function definitions(
  session: Session,
  name: string,
  { source, path, language, partial, limit }: DefinitionOptions,
): Promise<void> {
  const { terminal } = session;
  if (terminal.mode === 'agent') {
    const { runTool } = await import('../run-tool.js');
    const fields = {
      name,
      partial,
      source: oneOf('--source', source),
      path: oneOf('--path', path),
    };
    if (language) throw new UsageError('--agent takes no --language; use --path, such as **/*.py');
    return runTool(session, 'find_definitions', definedFields({ ...fields, limit }));
  }
  const client = await session.client();
  const filters = definedFields({
    source_ids: await sourceIds(session, source),
    path_patterns: path,
    languages: language,
    limit,
  });
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

/** Returns the value of an option that a tool takes once. */
function oneOf(option: string, values: readonly string[] | undefined): string | undefined {
  if (values && values.length > 1) throw new UsageError(`--agent takes one ${option}`);
  return values?.[0];
}
