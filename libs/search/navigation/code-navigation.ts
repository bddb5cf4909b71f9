import type { ReferenceThreads } from '#code-search';
import type { ReceiptCode } from '#contracts';
import type { DefinitionsView, DefinitionView } from '#contracts/http/index';
import type { Clock } from '#platform';
import type { SearchIndex } from '#search-index';

import { type CodeScope, fingerprintOf, orderedScope } from '../code-search-scope.js';
import type { HybridSearch } from '../hybrid-search.js';
import type { SearchMoment } from '../search-moment.js';
import { chunkFilter } from '../search-request.js';
import { definitionView, findDefinitions } from './find-definitions.js';
import { identifierAt, type PlacedIdentifier } from './identifier-at.js';
import type { DefinitionsOutcome, DefinitionsRequest, ReferencesEnd } from './navigation.types.js';
import { decodePlace, encodePlace } from './navigation-cursor.js';
import { navigationEvidence } from './navigation-evidence.js';
import { ratedDefinitions, symbolDefinitions } from './precise/precise-definitions.js';
import type { PreciseNavigation, UsedTable } from './precise/precise-navigation.port.js';
import { precisionCounts } from './precision-counts.js';
import { type ResolvedDefinitions, resolvedDefinitions } from './resolved-definitions.js';
import { placeOf } from './wanted-place.js';

/** The limits of a request besides those that it states. */
export interface DefinitionsLimits {
  /** Tables of a recorded request that is repeated. Default: the newest of each source. */
  readonly tables?: readonly UsedTable[] | undefined;
  /** The end of a recorded request; undefined if it did not look for the meaning of a place. */
  readonly end?: ReferencesEnd | undefined;
  readonly gone?: AbortSignal | undefined;
}

/** Symbols and definitions of live generations. */
export class CodeNavigation {
  constructor(
    private readonly index: SearchIndex,
    private readonly threads: ReferenceThreads,
    private readonly searches: Pick<HybridSearch, 'momentAfter'>,
    private readonly precise: PreciseNavigation,
    private readonly clock: Clock,
  ) {}

  /**
   * @param momentOf returns the moment to look at; called again when content was replaced in
   * between, or cannot be loaded.
   * @throws FootnoteError `validation_failed` for a glob, place or cursor that cannot be used;
   * `source_not_found` or `content_not_found` for the file of a place. `bad_request` if the client
   * went away.
   */
  async run(
    request: DefinitionsRequest,
    momentOf: () => SearchMoment,
    limits: DefinitionsLimits = {},
  ): Promise<DefinitionsOutcome> {
    const started = this.clock.monotonic();
    const moment = momentOf();
    try {
      return await this.definitions(request, moment, { ...limits, started });
    } catch (error) {
      const next = await this.searches.momentAfter(error, moment, momentOf);
      return this.definitions(request, next, { ...limits, started });
    }
  }

  private async definitions(
    request: DefinitionsRequest,
    moment: SearchMoment,
    { started, tables, end, gone }: DefinitionsLimits & { readonly started: number },
  ): Promise<DefinitionsOutcome> {
    const filter = chunkFilter(request);
    const { scope, sources } = orderedScope(request, moment);
    const placed = await this.placed(request, sources);
    const text = placed?.name ?? textOf(request);
    const precise = this.precise.open(tables);
    const kind = request.operation === 'symbols' ? 'any' : 'exact';
    const { operation, path_patterns, languages } = request;
    const fingerprint = fingerprintOf(
      [operation, text, path_patterns ?? [], languages ?? []],
      sources,
    );
    const skip = decodePlace(request.cursor, fingerprint, isOffset) ?? 0;
    const found = await findDefinitions(this.index, sources, { text, kind, filter, gone });
    const bySymbol =
      placed && (await symbolDefinitions(precise, placed, found.definitions, filter !== undefined));
    const resolved =
      placed && (!bySymbol || bySymbol.isOutside) && (!tables || end)
        ? await resolvedDefinitions(this.index, this.threads, placed, found.definitions, {
            tenantId: moment.tenantId,
            name: text,
            sources,
            precise,
            unparsed: new Set(end?.unparsed),
            followsReleases: true,
            gone,
            remainingMs: () => RESOLVE_MS - (this.clock.monotonic() - started),
          })
        : undefined;
    const all = resolved?.definitions ?? bySymbol?.definitions ?? found.definitions;
    const page = await ratedDefinitions(precise, all.slice(skip, skip + request.limit));
    const definitions = page.map((each) => definitionView(each, each.precision));
    const next = skip + page.length;
    const answer: DefinitionsView = {
      query: text,
      definitions,
      count: definitions.length,
      precision: precisionCounts(definitions),
      ...completeness({ scope, total: all.length, isCut: found.isCut, next }),
      ...(next < all.length && { next_cursor: encodePlace(fingerprint, next) }),
      sources_searched: sources.length,
      warnings: [
        ...scope.contentWarnings,
        ...precise.warnings,
        ...(bySymbol?.isOutside && !resolved?.definitions ? [OUTSIDE] : []),
        ...(resolved && !resolved.definitions ? unparsedWarnings(resolved) : []),
        ...oldVersions(definitions),
      ],
      hints: definitions.length === 0 ? hintsFor(request, sources.length) : [],
      search_time_ms: Math.round((this.clock.monotonic() - started) * 1000) / 1000,
    };
    return {
      request,
      moment,
      answer,
      evidence: evidenceOf(answer),
      tables: precise.used,
      ...(resolved && { end: endOf(resolved) }),
    };
  }

  private async placed(
    request: DefinitionsRequest,
    sources: CodeScope['sources'],
  ): Promise<PlacedIdentifier | undefined> {
    if (request.operation === 'symbols') return undefined;
    const place = placeOf(request);
    return place && identifierAt(this.index, sources, place);
  }
}

/** Milliseconds that the files of a place and of its imports may take. */
const RESOLVE_MS = 4_000;

function endOf({ unparsed }: ResolvedDefinitions): ReferencesEnd {
  return { ...(unparsed.length > 0 && { unparsed }), releases: true };
}

function unparsedWarnings({ unparsed }: ResolvedDefinitions): string[] {
  const message = 'files could not be parsed in time; all definitions with the name are listed';
  return unparsed.length > 0 ? [`${unparsed.length} ${message}`] : [];
}

const OUTSIDE =
  'The identifier at the place is defined outside of the source; ' +
  'all definitions with the name are listed';

function textOf(request: DefinitionsRequest): string {
  return request.operation === 'symbols' ? request.query : (request.name as string);
}

function isOffset(place: unknown): place is number {
  return typeof place === 'number' && Number.isSafeInteger(place) && place >= 0;
}

function completeness({
  scope,
  total,
  isCut,
  next,
}: Pick<CodeScope, 'scope'> & {
  readonly total: number;
  readonly isCut: boolean;
  readonly next: number;
}): Pick<DefinitionsView, 'complete' | 'incomplete_reason'> {
  if (next < total || isCut) return { complete: false, incomplete_reason: 'limit' };
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

function hintsFor({ operation, path_patterns, languages }: DefinitionsRequest, sources: number) {
  const hints: string[] = [];
  if (sources === 0) hints.push('No source is in scope; check source_ids and the policy');
  if (operation === 'definitions')
    hints.push('Names match exactly; GET /symbols also finds beginnings and humps of names');
  if (path_patterns?.length || languages?.length)
    hints.push('Only documents of path_patterns and languages were searched');
  return hints;
}

function evidenceOf({ definitions, complete, incomplete_reason }: DefinitionsView): ReceiptCode {
  const entries = definitions.map(
    ({ source_id, version_ref, path, symbol, line, column, precision }) => ({
      source_id,
      path,
      values: [source_id, version_ref, path, symbol, line, column, precision],
    }),
  );
  return navigationEvidence(entries, { complete, reason: incomplete_reason });
}
