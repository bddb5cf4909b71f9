import type { LineExpression } from '#code-search/pattern/line-engine.port';
import type { CodeSearchResponseView, SourceTreeView } from '#contracts/http/index';
import type { ApiClient } from '#test/support/api-client';

const PAGE = 1_000;
const TIMEOUT_MS = 10_000;
/** Lines of one answer as text, and characters of its end. */
const MOST_LINES = 100_000;
const END = 2_000;

/** All lines of an expression, of as many requests as they need. */
export interface AllPlaces {
  /** `path:line` of each line. */
  readonly places: ReadonlySet<string>;
  readonly requests: number;
  /** True if the last answer is complete. */
  readonly isComplete: boolean;
}

/** Returns the body of a code search for an expression. */
export function codeRequest(
  { pattern, regex, caseSensitive, word }: LineExpression,
  fields: object = {},
): object {
  return { pattern, regex, case_sensitive: caseSensitive, word, ...fields };
}

/** Finds every line of an expression over HTTP, page by page. */
export async function allPlaces(
  client: ApiClient,
  expression: LineExpression,
  sourceId?: string,
): Promise<AllPlaces> {
  const places = new Set<string>();
  const fields = {
    limit: PAGE,
    timeout_ms: TIMEOUT_MS,
    ...(sourceId !== undefined && { source_ids: [sourceId] }),
  };
  let cursor: string | undefined;
  for (let requests = 1; ; requests += 1) {
    const body = codeRequest(expression, { ...fields, ...(cursor !== undefined && { cursor }) });
    const answer = await client.expect<CodeSearchResponseView>('POST', '/search/code', body);
    for (const { path, lines } of answer.files)
      for (const { number } of lines) places.add(`${path}:${number}`);
    cursor = answer.next_cursor;
    if (cursor === undefined) return { places, requests, isComplete: answer.complete };
  }
}

/** Counts the lines of an expression in one answer as text. @throws Error if it is not complete. */
export async function countLines(client: ApiClient, expression: LineExpression): Promise<number> {
  const body = codeRequest(expression, { limit: MOST_LINES, timeout_ms: TIMEOUT_MS });
  const text = await client.text('POST', '/search/code', body);
  const [, lines] = /(?:^|\n)# (\d+) lines in \d+ files; complete\n/.exec(text.slice(-END)) ?? [];
  if (lines === undefined) throw new Error(`The answer is not complete: ${text.slice(-END)}`);
  return Number(lines);
}

/** Returns the paths of the indexed files of a source. */
export async function indexedPaths(client: ApiClient, sourceId: string): Promise<Set<string>> {
  const paths = new Set<string>();
  for (let skip = 0; ; skip += PAGE) {
    const query = `glob=${encodeURIComponent('**')}&skip=${skip}&limit=${PAGE}`;
    const tree = await client.expect<SourceTreeView>('GET', `/sources/${sourceId}/tree?${query}`);
    for (const { kind, path, skipped } of tree.entries)
      if (kind === 'file' && skipped === null) paths.add(path);
    if (skip + PAGE >= tree.total) return paths;
  }
}
