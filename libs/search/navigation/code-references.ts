import type { MatchThreads, ReferenceThreads } from '#code-search';
import type { ReceiptCode } from '#contracts';
import type { ReferencesView, ReferenceView } from '#contracts/http/index';
import { type Clock, TimeSlices } from '#platform';
import type { SearchIndex } from '#search-index';

import {
  type CodeScope,
  decodeCursor,
  encodeCursor,
  fingerprintOf,
  orderedScope,
} from '../code-search-scope.js';
import type { HybridSearch } from '../hybrid-search.js';
import type { SearchMoment } from '../search-moment.js';
import { chunkFilter } from '../search-request.js';
import type { ScopedSource } from '../search-scope.js';
import { findDefinitions } from './find-definitions.js';
import { type CodePlace, identifierAt, type PlacedIdentifier } from './identifier-at.js';
import type { ReferencesEnd, ReferencesOutcome, ReferencesRequest } from './navigation.types.js';
import { navigationEvidence } from './navigation-evidence.js';
import type { PreciseNavigation, UsedTable } from './precise/precise-navigation.port.js';
import { precisionCounts } from './precision-counts.js';
import {
  fileKey,
  type FoundReferences,
  ReferenceScan,
  unparsedWarnings,
} from './reference-scan.js';
import { ReferenceSelection } from './reference-selection.js';
import { referenceViews } from './reference-views.js';
import { placeOf } from './wanted-place.js';

/** The limits of a request besides those that it states. */
export interface ReferencesLimits {
  /** The end of a recorded request that is repeated, with the time that it may take. */
  readonly recorded?:
    | {
        readonly end: ReferencesEnd;
        readonly tables: readonly UsedTable[];
        readonly timeoutMs: number;
      }
    | undefined;
  readonly gone?: AbortSignal | undefined;
}

/** The threads that examine text and parse files. */
interface CodeThreads {
  readonly matches: MatchThreads;
  readonly references: ReferenceThreads;
}

/** References in live generations. */
export class CodeReferences {
  constructor(
    private readonly index: SearchIndex,
    private readonly threads: CodeThreads,
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
    request: ReferencesRequest,
    momentOf: () => SearchMoment,
    limits: ReferencesLimits = {},
  ): Promise<ReferencesOutcome> {
    const started = this.clock.monotonic();
    const moment = momentOf();
    try {
      return await this.references(request, moment, { ...limits, started });
    } catch (error) {
      const next = await this.searches.momentAfter(error, moment, momentOf);
      return this.references(request, next, { ...limits, started });
    }
  }

  private async references(
    request: ReferencesRequest,
    moment: SearchMoment,
    { recorded, gone, started }: ReferencesLimits & { readonly started: number },
  ): Promise<ReferencesOutcome> {
    const elapsed = (): number => this.clock.monotonic() - started;
    const timeoutMs = recorded?.timeoutMs ?? request.timeout_ms;
    const filter = chunkFilter(request);
    const ordered = orderedScope(request, moment);
    const place = placeOf(request);
    const placed = place && (await identifierAt(this.index, ordered.sources, place));
    const name = placed ? placed.name : (request.name as string);
    const { path_patterns = [], languages = [] } = request;
    const described = ['references', name, place ?? null, path_patterns, languages];
    const scope = { ...ordered, fingerprint: fingerprintOf(described, ordered.sources) };
    const precise = this.precise.open(recorded?.tables);
    const limits = {
      precise,
      tenantId: moment.tenantId,
      name,
      unparsed: new Set(recorded?.end.unparsed),
      followsReleases: !recorded || recorded.end.releases === true,
      gone,
      remainingMs: () => timeoutMs - elapsed(),
    };
    const selection = await this.selection(ordered.sources, placed, limits);
    const only = selection.wanted?.isLocal && place ? fileOf(place) : undefined;
    const scanned = {
      ...limits,
      filter,
      limit: request.limit,
      after: decodeCursor(request.cursor, scope) ?? (only && { ...only, line: 0 }),
      end: decodeCursor(recorded?.end.cursor, scope),
      only,
    };
    const scan = new ReferenceScan(this.index, this.threads, scanned, selection.select);
    const found = await scan.run(scope);
    const references = await this.views(found);
    const isUnknown = placed !== undefined && selection.wanted === undefined;
    const answer = answerOf(name, scope, found, {
      references,
      leftOut: selection.leftOut,
      warnings: [...precise.warnings, ...(isUnknown ? [UNKNOWN_PLACE] : [])],
    });
    const searchTimeMs = Math.round(elapsed() * 1000) / 1000;
    return {
      request,
      moment,
      answer: { ...answer, search_time_ms: searchTimeMs },
      evidence: evidenceOf(answer),
      end: endOf(found, selection, answer.next_cursor, limits.followsReleases),
      tables: precise.used,
    };
  }

  private async selection(
    sources: readonly ScopedSource[],
    placed: PlacedIdentifier | undefined,
    limits: Omit<ConstructorParameters<typeof ReferenceSelection>[2], 'sources' | 'definitions'>,
  ): Promise<ReferenceSelection> {
    const wanted = { text: limits.name, kind: 'exact' as const, filter: undefined };
    const { definitions } = await findDefinitions(this.index, sources, {
      ...wanted,
      gone: limits.gone,
    });
    const selection = new ReferenceSelection(this.index, this.threads.references, {
      ...limits,
      sources,
      definitions: definitions.map(({ found }) => found),
    });
    if (placed) await selection.want(placed);
    return selection;
  }

  private async views({ files }: FoundReferences): Promise<readonly ReferenceView[]> {
    const views: ReferenceView[] = [];
    const slices = new TimeSlices();
    for (const file of files) views.push(...(await referenceViews(this.index, file, slices)));
    return views;
  }
}

const UNKNOWN_PLACE =
  'Nothing shows what the identifier at the place stands for; ' +
  'all identifiers with the name are listed';

/** The references of an answer, and what was left out of it. */
interface SelectedReferences {
  readonly references: readonly ReferenceView[];
  readonly leftOut: number;
  readonly warnings: readonly string[];
}

type TimelessAnswer = Omit<ReferencesView, 'search_time_ms'>;

function answerOf(
  name: string,
  { scope, sources, fingerprint }: CodeScope,
  found: FoundReferences,
  { references, leftOut, warnings }: SelectedReferences,
): TimelessAnswer {
  const lacksContent = scope.contentWarnings.length > 0;
  const reason = found.reason ?? (lacksContent ? 'content_missing' : undefined);
  return {
    query: name,
    references,
    count: references.length,
    precision: precisionCounts(references),
    left_out: leftOut,
    complete: reason === undefined,
    ...(reason && { incomplete_reason: reason }),
    ...(found.place && { next_cursor: encodeCursor(fingerprint, found.place) }),
    sources_searched: sources.length,
    documents_examined: found.documents,
    warnings: [
      ...scope.contentWarnings,
      ...warnings,
      ...unparsedWarnings(found),
      ...languageWarnings(found.unknownLanguages),
    ],
    hints: references.length === 0 ? hintsFor(sources.length) : [],
  };
}

function languageWarnings(count: number): string[] {
  const message =
    `${count} documents with the name are in languages without a grammar and were left out; ` +
    'use /search/code for them';
  return count > 0 ? [message] : [];
}

function hintsFor(sources: number): string[] {
  return sources === 0
    ? ['No source is in scope; check source_ids and the policy']
    : ['Names match exactly, outside of comments and strings; /search/code finds any text'];
}

function evidenceOf({ references, complete, incomplete_reason }: TimelessAnswer): ReceiptCode {
  const entries = references.map(
    ({ source_id, version_ref, path, line, column, kind, precision }) => ({
      source_id,
      path,
      values: [source_id, version_ref, path, line, column, kind, precision],
    }),
  );
  return navigationEvidence(entries, { complete, reason: incomplete_reason });
}

function fileOf({ source_id, path }: CodePlace): { sourceId: string; path: string } {
  return { sourceId: source_id, path };
}

function endOf(
  { files, reason }: FoundReferences,
  { unread }: ReferenceSelection,
  cursor: string | undefined,
  followsReleases: boolean,
): ReferencesEnd {
  const slow = files.filter(({ isParsed }) => !isParsed).map(({ file }) => fileKey(file));
  const unparsed = [...new Set([...slow, ...unread])];
  return {
    ...(reason === 'deadline' && cursor !== undefined && { cursor }),
    ...(unparsed.length > 0 && { unparsed }),
    ...(followsReleases && { releases: true }),
  };
}
