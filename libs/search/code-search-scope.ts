import { createHash } from 'node:crypto';

import type { CodeSearchBody } from '#contracts/http/index';

import { cursorOf, cursorParts, foreignCursor } from './cursor-parts.js';
import type { SearchMoment } from './search-moment.js';
import { type ScopedSource, type SearchScope, searchScope } from './search-scope.js';

/** A code search, independent of its transport. */
export type CodeSearchRequest = Readonly<CodeSearchBody>;

/** The place where a code search ended: after a line of a document. */
export interface ScanPlace {
  readonly sourceId: string;
  readonly path: string;
  /** The last examined line; 0 if none of the document was, {@link WHOLE} if all were. */
  readonly line: number;
  /** True if the next lines were too slow to examine together. */
  readonly oneByOne?: boolean;
  /** True if an answer that lists sources has listed its source. */
  readonly isListed?: boolean;
}

/** The line of a place at the end of a document. */
export const WHOLE = -1;

/** The sources of a code search in the order of their scan. */
export interface CodeScope {
  readonly scope: SearchScope;
  readonly sources: readonly ScopedSource[];
  /** Identifies the request and the generations, so that a cursor fits no others. */
  readonly fingerprint: string;
}

/** Returns the sources that the request and the policy allow; a priority of 0 removes a source. */
export function codeScope(request: CodeSearchRequest, moment: SearchMoment): CodeScope {
  const { scope, sources } = orderedScope(request, moment);
  const { pattern = null, query, regex, case_sensitive, word } = request;
  const { path_patterns = [], languages = [] } = request;
  const described = [query ?? pattern, regex, case_sensitive, word, path_patterns, languages];
  if (query !== undefined) described.push('query');
  return { scope, sources, fingerprint: fingerprintOf(described, sources) };
}

/** Returns the sources that the request and the policy allow, by priority and name. */
export function orderedScope(
  request: Pick<CodeSearchRequest, 'source_ids' | 'include_stale'>,
  moment: SearchMoment,
): Omit<CodeScope, 'fingerprint'> {
  const scope = searchScope(moment, request, moment.policy, moment.now);
  const sources = [...scope.eligible.values()]
    .filter(({ priority }) => priority > 0)
    .sort(byPriority);
  return { scope, sources };
}

/** Returns a hash of a request and of the generations that it reads. */
export function fingerprintOf(described: unknown, sources: readonly ScopedSource[]): string {
  const hash = createHash('sha256').update(JSON.stringify(described));
  for (const { source } of sources) hash.update(`\n${source.sourceId}:${source.generation}`);
  return hash.digest('base64url').slice(0, 22);
}

function byPriority(a: ScopedSource, b: ScopedSource): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.source.name !== b.source.name) return a.source.name < b.source.name ? -1 : 1;
  return a.source.sourceId < b.source.sourceId ? -1 : 1;
}

export function encodeCursor(
  fingerprint: string,
  { sourceId, path, line, oneByOne = false, isListed = false }: ScanPlace,
): string {
  const flags = isListed ? [Number(oneByOne), 1] : oneByOne ? [1] : [];
  return cursorOf([fingerprint, sourceId, line, path, ...flags]);
}

/**
 * Reads a cursor.
 * @throws FootnoteError `validation_failed` for the cursor of another request, or of generations
 * that are not live any more.
 */
export function decodeCursor(
  cursor: string | undefined,
  { fingerprint, sources }: CodeScope,
): ScanPlace | undefined {
  if (cursor === undefined) return undefined;
  const [of, sourceId, line, path, oneByOne, isListed] = cursorParts(cursor);
  const isPlace =
    typeof path === 'string' &&
    typeof line === 'number' &&
    Number.isSafeInteger(line) &&
    line >= WHOLE &&
    sources.some(({ source }) => source.sourceId === sourceId);
  if (of !== fingerprint || !isPlace) throw foreignCursor();
  const flags = { oneByOne: oneByOne === 1, isListed: isListed === 1 };
  return { sourceId: sourceId as string, path, line, ...flags };
}
