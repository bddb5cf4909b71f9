import { createHash } from 'node:crypto';

import { type ReceiptCode, validationFailed } from '#contracts';
import type { DefinitionsView, DefinitionView } from '#contracts/http/index';
import type { Clock } from '#platform';
import type { SearchIndex } from '#search-index';

import { type CodeScope, fingerprintOf, orderedScope } from '../code-search-scope.js';
import type { HybridSearch } from '../hybrid-search.js';
import type { SearchMoment } from '../search-moment.js';
import { chunkFilter } from '../search-request.js';
import { definitionView, findDefinitions, type FoundDefinitions } from './find-definitions.js';
import { type CodePlace, identifierAt } from './identifier-at.js';
import type { NavigationOutcome, NavigationRequest } from './navigation.types.js';
import { decodePlace, encodePlace } from './navigation-cursor.js';

/** Symbols and definitions of live generations. */
export class CodeNavigation {
  constructor(
    private readonly index: SearchIndex,
    private readonly searches: Pick<HybridSearch, 'momentAfter'>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param momentOf returns the moment to look at; called again when content was replaced in
   * between, or cannot be loaded.
   * @throws FootnoteError `validation_failed` for a glob, place or cursor that cannot be used;
   * `source_not_found` or `content_not_found` for the file of a place.
   */
  async run(request: NavigationRequest, momentOf: () => SearchMoment): Promise<NavigationOutcome> {
    const started = this.clock.monotonic();
    const moment = momentOf();
    try {
      return await this.definitions(request, moment, started);
    } catch (error) {
      const next = await this.searches.momentAfter(error, moment, momentOf);
      return this.definitions(request, next, started);
    }
  }

  private async definitions(
    request: NavigationRequest,
    moment: SearchMoment,
    started: number,
  ): Promise<NavigationOutcome> {
    const filter = chunkFilter(request);
    const { scope, sources } = orderedScope(request, moment);
    const text = await this.textOf(request, sources);
    const kind = request.operation === 'symbols' ? 'any' : 'exact';
    const { operation, path_patterns, languages } = request;
    const fingerprint = fingerprintOf(
      [operation, text, path_patterns ?? [], languages ?? []],
      sources,
    );
    const skip = decodePlace(request.cursor, fingerprint, isOffset) ?? 0;
    const found = await findDefinitions(this.index, sources, { text, kind, filter });
    const page = found.definitions.slice(skip, skip + request.limit);
    const definitions = page.map((each) => definitionView(each, 'name'));
    const next = skip + page.length;
    const answer: DefinitionsView = {
      query: text,
      definitions,
      count: definitions.length,
      precision: { resolved: 0, name: definitions.length },
      ...completeness({ scope, found, next }),
      ...(next < found.definitions.length && { next_cursor: encodePlace(fingerprint, next) }),
      sources_searched: sources.length,
      warnings: [...scope.contentWarnings, ...oldVersions(definitions)],
      hints: definitions.length === 0 ? hintsFor(request, sources.length) : [],
      search_time_ms: Math.round((this.clock.monotonic() - started) * 1000) / 1000,
    };
    return { request, moment, answer, evidence: evidenceOf(answer) };
  }

  private async textOf(request: NavigationRequest, sources: CodeScope['sources']): Promise<string> {
    if (request.operation === 'symbols') return request.query;
    const place = placeOf(request);
    if (place === undefined) return request.name as string;
    return (await identifierAt(this.index, sources, place)).name;
  }
}

/**
 * Returns the place of a request; undefined if it has a name.
 * @throws FootnoteError `validation_failed` for neither, both, or a part of a place.
 */
function placeOf({
  name,
  source_id,
  path,
  line,
  column,
}: Extract<NavigationRequest, { operation: 'definitions' }>): CodePlace | undefined {
  const parts = [source_id, path, line, column];
  const isWhole =
    source_id !== undefined && path !== undefined && line !== undefined && column !== undefined;
  if (name === undefined && isWhole) return { source_id, path, line, column };
  if (name !== undefined && parts.every((part) => part === undefined)) return undefined;
  const message = 'must be given alone, or else source_id, path, line and column together';
  throw validationFailed([{ field: 'name', message }]);
}

function isOffset(place: unknown): place is number {
  return typeof place === 'number' && Number.isSafeInteger(place) && place >= 0;
}

function completeness({
  scope,
  found,
  next,
}: Pick<CodeScope, 'scope'> & { readonly found: FoundDefinitions; readonly next: number }): Pick<
  DefinitionsView,
  'complete' | 'incomplete_reason'
> {
  if (next < found.definitions.length || found.isCut)
    return { complete: false, incomplete_reason: 'limit' };
  if (scope.contentWarnings.length > 0)
    return { complete: false, incomplete_reason: 'content_missing' };
  return { complete: true };
}

function oldVersions(definitions: readonly DefinitionView[]): string[] {
  const isOld = definitions.some(({ line, start_line }) => line === null && start_line !== null);
  const message =
    'An earlier version indexed some of this content; the next sync adds kinds and columns';
  return isOld ? [message] : [];
}

function hintsFor({ operation, path_patterns, languages }: NavigationRequest, sources: number) {
  const hints: string[] = [];
  if (sources === 0) hints.push('No source is in scope; check source_ids and the policy');
  if (operation === 'definitions')
    hints.push('Names match exactly; GET /symbols also finds beginnings and humps of names');
  if (path_patterns?.length || languages?.length)
    hints.push('Only documents of path_patterns and languages were searched');
  return hints;
}

function evidenceOf({ definitions, complete, incomplete_reason }: DefinitionsView): ReceiptCode {
  const hash = createHash('sha256');
  const files = new Set<string>();
  for (const { source_id, version_ref, path, symbol, line, column, precision } of definitions) {
    files.add(`${source_id}/${path}`);
    const entry = [source_id, version_ref, path, symbol, line, column, precision];
    hash.update(`${JSON.stringify(entry)}\n`);
  }
  return {
    lines: definitions.length,
    files: files.size,
    documents: files.size,
    complete,
    ...(incomplete_reason && { reason: incomplete_reason }),
    digest: hash.digest('hex'),
  };
}
