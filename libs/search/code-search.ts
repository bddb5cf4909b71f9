import { describeQuery, type MatchThreads, type QueryNode } from '#code-search';
import type { ReceiptCode } from '#contracts';
import type {
  CodeFileView,
  CodeLineView,
  CodeSearchResponseView,
  CodeSourceView,
  IncompleteReason,
} from '#contracts/http/index';
import { redactUrls } from '#ingest/redact/redact-urls';
import type { Clock } from '#platform';
import type { SearchIndex } from '#search-index';

import { citedPath } from './cited-path.js';
import { throwIfGone } from './client-gone.js';
import { queryOf } from './code-query.js';
import { CodeScan } from './code-scan.js';
import { hintsFor } from './code-search-hints.js';
import {
  type CodeScope,
  codeScope,
  type CodeSearchRequest,
  decodeCursor,
  encodeCursor,
} from './code-search-scope.js';
import type { HybridSearch } from './hybrid-search.js';
import { type LeftOutFiles, type LeftOutList, leftOutList } from './left-out-files.js';
import { LineBudget } from './line-budget.js';
import { citedUrl } from './repository-pages.js';
import type { ScanEnd, ScannedFile, ScanResult } from './scan-request.js';
import type { SearchMoment } from './search-moment.js';
import { chunkFilter } from './search-request.js';
import type { TextSink } from './text-sink.js';
import { tokenCounter } from './within-budget.js';

/** The evidence of a code search for its receipt. */
export type CodeSearchEvidence = ReceiptCode;

/** An answer with all that a receipt shows of it. */
export interface CodeSearchOutcome {
  readonly request: CodeSearchRequest;
  readonly moment: SearchMoment;
  readonly answer: CodeSearchResponseView;
  readonly evidence: CodeSearchEvidence;
}

/** The limits of a recorded search that is repeated. */
interface RecordedScan {
  /** The end of the recorded scan, if a deadline ended it. */
  readonly end: ScanEnd | undefined;
  readonly timeoutMs: number;
}

/** The limits of a search besides those of its request. */
export interface CodeSearchLimits {
  readonly recorded?: RecordedScan | undefined;
  readonly gone?: AbortSignal | undefined;
  /** Ends the search as a deadline does: what was found so far is its answer. */
  readonly ended?: AbortSignal | undefined;
  /** Called with each file once it is found; not of queries that list sources. */
  readonly onFile?: ((file: CodeFileView) => void) | undefined;
  /**
   * Takes the lines as text, and leaves `files` empty; not of queries that list sources, nor with
   * `max_tokens`.
   */
  readonly onText?: TextSink | undefined;
}

/** Exact and regular-expression search over the text of live generations. */
export class CodeSearch {
  constructor(
    private readonly index: SearchIndex,
    private readonly threads: MatchThreads,
    private readonly searches: Pick<HybridSearch, 'momentAfter'>,
    private readonly clock: Clock,
    private readonly leftOut: LeftOutFiles,
  ) {}

  /**
   * @param momentOf returns the moment to search at; called again when content was replaced in
   * between, or cannot be loaded.
   * @param gone aborts when nobody waits for the answer any more.
   * @throws FootnoteError `validation_failed` for a pattern, glob or cursor that cannot be used.
   */
  async run(
    request: CodeSearchRequest,
    momentOf: () => SearchMoment,
    limits: CodeSearchLimits = {},
  ): Promise<CodeSearchOutcome> {
    let isShown = false;
    const onFile = (file: CodeFileView): void => {
      isShown = true;
      limits.onFile?.(file);
    };
    const started = this.clock.monotonic();
    const onText = limits.onText && noticed(limits.onText, () => (isShown = true));
    const run = { ...limits, started, ...(limits.onFile && { onFile }), onText };
    const moment = momentOf();
    try {
      return await this.search(request, moment, run);
    } catch (error) {
      // Files of two moments cannot be in one answer.
      if (isShown) throw error;
      const next = await this.searches.momentAfter(error, moment, momentOf);
      return this.search(request, next, run);
    }
  }

  private async search(
    request: CodeSearchRequest,
    moment: SearchMoment,
    {
      started,
      recorded,
      gone,
      ended,
      onFile,
      onText,
    }: CodeSearchLimits & { readonly started: number },
  ): Promise<CodeSearchOutcome> {
    const elapsed = (): number => this.clock.monotonic() - started;
    const timeoutMs = recorded?.timeoutMs ?? request.timeout_ms;
    const { root, listsSources } = queryOf(request);
    const filter = chunkFilter(request);
    const scope = codeScope(request, moment);
    const scan = new CodeScan(this.index, this.threads, {
      tenantId: moment.tenantId,
      query: root,
      field: request.query === undefined ? 'pattern' : 'query',
      filter,
      contextLines: request.context_lines,
      limit: request.limit,
      listsSources,
      budget: await budgetOf(request),
      text: listsSources || request.max_tokens !== undefined ? undefined : onText,
      ...(onFile &&
        !listsSources && {
          onFile: (file: ScannedFile) => onFile(fileView(file, request.context_lines)),
        }),
      after: decodeCursor(request.cursor, scope),
      end: recorded?.end,
      gone,
      ended,
      remainingMs: () => (ended?.aborted ? 0 : timeoutMs - elapsed()),
    });
    const slow = scope.sources.filter(({ source }) => this.index.lacksTrigrams(source)).length;
    const found = await scan.run(scope);
    // Who received nothing is not charged.
    if (found.fileCount === 0) throwIfGone(ended);
    const counts = await this.leftOut.of(scope.sources.map(({ source }) => source));
    const { leftOut, warnings } = leftOutList(scope.sources, counts, found.redacted);
    const list = { leftOut, warnings: [...warnings, ...slowWarnings(slow)] };
    const searchTimeMs = Math.round(elapsed() * 1000) / 1000;
    const answer = answerOf({ request, root, listsSources }, scope, found, list, searchTimeMs);
    return { request, moment, answer, evidence: evidenceOf(found, answer) };
  }
}

/** Returns the budget of a request; undefined without `max_tokens`. */
async function budgetOf({ max_tokens: most }: CodeSearchRequest): Promise<LineBudget | undefined> {
  return most === undefined ? undefined : new LineBudget(most, await tokenCounter());
}

/** Returns a sink that reports that something was written. */
function noticed(sink: TextSink, notice: () => void): TextSink {
  return {
    write: (text, files) => {
      notice();
      sink.write(text, files);
    },
    room: (deadline) => sink.room(deadline),
  };
}

/** A request with its query. */
interface ReadRequest {
  readonly request: CodeSearchRequest;
  readonly root: QueryNode;
  readonly listsSources: boolean;
}

function answerOf(
  { request, root, listsSources }: ReadRequest,
  { scope, sources, fingerprint }: CodeScope,
  found: ScanResult,
  { leftOut, warnings }: LeftOutList,
  searchTimeMs: number,
): CodeSearchResponseView {
  const reason = reasonOf(found, scope.contentWarnings.length > 0);
  const cursor = found.place && encodeCursor(fingerprint, found.place);
  return {
    query: {
      pattern: request.query ?? request.pattern ?? '',
      parsed: describeQuery(root),
      regex: request.regex,
      case_sensitive: request.case_sensitive,
      word: request.word,
      path_patterns: request.path_patterns ?? [],
      languages: request.languages ?? [],
    },
    files: listsSources ? [] : found.files.map((file) => fileView(file, request.context_lines)),
    ...(listsSources && { sources: found.files.map(sourceView) }),
    count: found.count,
    complete: reason === undefined,
    ...(reason && { incomplete_reason: reason }),
    ...(found.reason && cursor !== undefined && { next_cursor: cursor }),
    sources_searched: sources.length,
    documents_examined: found.end.documents,
    left_out: leftOut,
    warnings: [...warningsOf(found, scope.contentWarnings), ...warnings],
    hints: found.count === 0 ? hintsFor(request, root, sources.length) : [],
    search_time_ms: searchTimeMs,
  };
}

function reasonOf(found: ScanResult, lacksContent: boolean): IncompleteReason | undefined {
  if (found.reason) return found.reason;
  if (lacksContent) return 'content_missing';
  return found.lacksBlankLines ? 'blank_lines' : undefined;
}

function warningsOf(
  { lacksBlankLines, skippedLines }: ScanResult,
  contentWarnings: readonly string[],
): string[] {
  const blank =
    'The pattern matches blank lines; some documents may have blank lines that are not indexed';
  const skipped = skippedLines.map(({ path, line }) => {
    const part = line === 0 ? redactUrls(path) : `Line ${line} of ${redactUrls(path)}`;
    return `${part} was skipped: the pattern is too slow for it`;
  });
  return [...contentWarnings, ...(lacksBlankLines ? [blank] : []), ...skipped];
}

function slowWarnings(sources: number): string[] {
  if (sources === 0) return [];
  const which = sources === 1 ? '1 source has' : `${sources} sources have`;
  return [`${which} content that an earlier version indexed; all its text is read`];
}

function sourceView({ scoped: { source, isStale } }: ScannedFile): CodeSourceView {
  return {
    source_id: source.sourceId,
    source_name: source.name,
    version_ref: source.versionRef,
    is_stale: isStale,
  };
}

function fileView(
  { scoped: { source, isStale }, path, language, lines }: ScannedFile,
  contextLines: number,
): CodeFileView {
  const cited = citedPath(path, language === 'openapi');
  const [first] = lines;
  const url = citedUrl(source, {
    path: cited,
    version_ref: source.versionRef,
    ...(first && { start_line: first.number }),
  });
  return {
    source_id: source.sourceId,
    source_name: source.name,
    path: cited,
    version_ref: source.versionRef,
    language,
    ...(url !== undefined && { url: redactUrls(url) }),
    is_stale: isStale,
    lines: lines.map((line): CodeLineView => ({
      number: line.number,
      text: line.text,
      ranges: [...line.ranges],
      ...(line.clipped && { clipped: true }),
      ...(line.symbol !== undefined && { symbol: line.symbol }),
      ...(contextLines > 0 && { before: [...line.before], after: [...line.after] }),
    })),
  };
}

function evidenceOf(
  { fileCount, count, end, digest }: ScanResult,
  { complete, incomplete_reason: reason }: CodeSearchResponseView,
): CodeSearchEvidence {
  return {
    lines: count,
    files: fileCount,
    documents: end.documents,
    ...(end.lines > 0 && { partial_lines: end.lines }),
    complete,
    ...(reason && { reason }),
    digest,
  };
}
