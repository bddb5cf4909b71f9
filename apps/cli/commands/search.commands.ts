import { type Command, Option } from 'commander';

import { addSearchFilters, definedFields, type SearchFilters, wholeNumber } from '../options.js';
import { plainText } from '../plain-text.js';
import type { Session } from '../session.js';
import { showMatches } from '../show-matches.js';
import { sourceIds } from '../source-id.js';
import { UsageError } from '../usage-error.js';

interface SearchOptions extends SearchFilters {
  readonly maxTokens?: number;
  readonly limit?: number;
}

interface GrepOptions extends SearchFilters {
  readonly regex?: true;
  readonly ignoreCase?: true;
  readonly word?: true;
  readonly context?: number;
  readonly limit?: number;
}

/** Adds `search` and `grep`. */
export function addSearchCommands(program: Command, session: Session): void {
  addSearchFilters(
    program
      .command('search')
      .description('Searches by meaning and by words; exit code 1 without evidence.')
      .argument('<query...>')
      .addOption(new Option('--max-tokens <number>').argParser(wholeNumber))
      .addOption(new Option('-n, --limit <number>', 'passages').argParser(wholeNumber)),
  ).action((words: readonly string[], options: SearchOptions) =>
    search(session, words.join(' '), options),
  );

  addSearchFilters(
    program
      .command('grep')
      .description('Finds every line with a text or a pattern; exit code 1 without a match.')
      .argument('<pattern>')
      .option('-E, --regex', 'the pattern is a regular expression')
      .option('-i, --ignore-case')
      .option('-w, --word', 'whole words only')
      .addOption(new Option('-C, --context <lines>').argParser(wholeNumber))
      .addOption(new Option('-n, --limit <number>', 'matching lines').argParser(wholeNumber)),
  ).action((pattern: string, options: GrepOptions) => grep(session, pattern, options));
}

async function search(session: Session, query: string, options: SearchOptions): Promise<void> {
  const { terminal } = session;
  const { source, path, language, maxTokens, limit } = options;
  if (terminal.mode === 'agent') {
    const { runTool } = await import('../run-tool.js');
    const fields = { sources: source, paths: path, languages: language, max_tokens: maxTokens };
    return runTool(session, 'search', { query, ...definedFields(fields) });
  }
  const client = await session.client();
  const fields = {
    source_ids: await sourceIds(session, source),
    path_patterns: path,
    languages: language,
    max_tokens: maxTokens,
    top_k: limit,
  };
  const { data, headers } = await client.search.post.full({
    body: { query, ...definedFields(fields) },
    signal: session.signal,
  });
  const found = 'results' in data;
  if (!found || data.results.length === 0) session.negative();
  if (terminal.mode === 'json') return terminal.line(JSON.stringify(data));
  if (!found) return terminal.note([data.message, ...data.suggestions].join('\n'));
  for (const { citation, content } of data.results) {
    const { source_name, path: file, start_line, end_line, version_ref } = citation;
    const lines = start_line === undefined ? '' : `:${start_line}-${end_line}`;
    terminal.line(terminal.bold(plainText(`${source_name} ${file}${lines} @${version_ref}`)));
    terminal.line(plainText(content).replace(/^/gm, '  '));
  }
  for (const warning of data.warnings) terminal.note(warning);
  terminal.note(`Confidence ${data.evidence_quality.confidence}`);
  const receipt = headers.get('x-receipt-id');
  if (receipt !== null) terminal.note(`Receipt ${receipt}`);
}

async function grep(session: Session, pattern: string, options: GrepOptions): Promise<void> {
  const { terminal } = session;
  const { source, path, language, limit, context } = options;
  const flags = { regex: options.regex, word: options.word };
  if (terminal.mode === 'agent') {
    if (language) throw new UsageError('--agent takes no --language; use --path, such as **/*.py');
    const { runTool } = await import('../run-tool.js');
    const fields = {
      ...flags,
      sources: source,
      paths: path,
      case_sensitive: !options.ignoreCase,
      context_lines: context,
      limit,
    };
    return runTool(session, 'search_code', { pattern, ...definedFields(fields) });
  }
  const fields = {
    ...flags,
    source_ids: await sourceIds(session, source),
    path_patterns: path,
    languages: language,
    case_sensitive: !options.ignoreCase,
    context_lines: context,
    limit,
  };
  const client = await session.client();
  const body = { pattern, ...definedFields(fields) };
  const answer = await client.codeSearch.post({ body, signal: session.signal });
  showMatches(session, answer);
}
