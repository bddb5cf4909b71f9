import type { Citation, Conflict, PolicySettings, SearchResponse, SearchResult } from '#contracts';
import {
  bestLines,
  evidenceQuality,
  type RankedChunk,
  stalenessSummary,
  stalenessWarning,
} from '#retrieval';
import type { Candidate } from '#search-index';

import type { Cited } from './cited-definition.js';
import { citedPath } from './cited-path.js';
import { citedUrl } from './repository-pages.js';
import type { SearchRequest } from './search-request.js';
import type { ScopedSource, SearchScope } from './search-scope.js';

type Ranked = RankedChunk<Candidate>;

/** Most copies of a result that are listed. */
const MOST_COPIES = 10;

/**
 * A ranked chunk with what is shown of it and where that comes from. Fields that do not apply are
 * left out.
 * @param tokenCount of what is shown
 */
export function toResult(
  { candidate, score, copies, contributions }: Ranked,
  { content, ...place }: Cited,
  tokenCount: number,
  scope: SearchScope,
): SearchResult | undefined {
  const scoped = scope.eligible.get(candidate.sourceId);
  if (!scoped) return undefined;
  const alsoAt = copies?.slice(0, MOST_COPIES).flatMap((copy) => {
    const source = scope.eligible.get(copy.sourceId);
    return source ? [citationOf(copy, copy, source)] : [];
  });
  return {
    content,
    score,
    token_count: tokenCount,
    citation: citationOf(candidate, place, scoped),
    ...(alsoAt && { also_at: alsoAt }),
    freshness_days: scoped.freshnessDays,
    is_stale: scoped.isStale,
    ...(contributions && { explanation: { score, contributions } }),
  };
}

function citationOf(
  candidate: Candidate,
  { symbol, startLine, endLine }: Pick<Cited, 'symbol' | 'startLine' | 'endLine'>,
  { source }: ScopedSource,
): Citation {
  const { path, fragment = '' } = candidate;
  return {
    chunk_id: candidate.chunkId,
    source_id: candidate.sourceId,
    source_name: source.name,
    path: citedPath(`${path}${fragment}`, candidate.chunkType === 'openapi'),
    ...(symbol === undefined ? {} : { symbol }),
    ...(startLine === undefined ? {} : { start_line: startLine }),
    ...(endLine === undefined ? {} : { end_line: endLine }),
    version_ref: source.versionRef,
    language: candidate.language,
    chunk_type: candidate.chunkType,
  };
}

/** The content of an answer. */
export interface Shown {
  readonly results: readonly SearchResult[];
  /** Those that are evidence: what was found, without what is only next to it. */
  readonly hits: readonly SearchResult[];
  /** Contradictions between the sources of the results. */
  readonly conflicts: readonly Conflict[];
  /** Sentences about how the results were found. Default: none. */
  readonly warnings?: readonly string[];
}

/** Everything that an answer says about its results. */
export function searchResponse(
  request: SearchRequest,
  scope: SearchScope,
  policy: PolicySettings,
  { results: found, hits, conflicts, warnings = [] }: Shown,
  searchTimeMs: number,
): SearchResponse {
  const results = withBestLines(request.query, found).map((result) => withUrl(result, scope));
  const withResults = sourcesOf(results, scope);
  const staleness = stalenessSummary(
    withResults.map(({ source, isStale }) => ({ name: source.name, isStale })),
    policy.staleness_budget_seconds,
  );
  const warning = policy.enforce_staleness ? stalenessWarning(staleness) : undefined;
  return {
    results,
    total_results: results.length,
    total_tokens: results.reduce((sum, { token_count }) => sum + token_count, 0),
    sources_searched: scope.searched.length,
    sources_with_results: withResults.length,
    evidence_quality: evidenceQuality({
      results: hits,
      topK: request.top_k,
      hasConflicts: conflicts.length > 0,
    }),
    staleness_summary: staleness,
    conflicts,
    warnings: [...(warning === undefined ? [] : [warning]), ...scope.contentWarnings, ...warnings],
    query: request.query,
    search_time_ms: searchTimeMs,
  };
}

/** Comes after joining and cutting passages, as `withUrl` does. */
function withBestLines(query: string, results: readonly SearchResult[]): readonly SearchResult[] {
  const named = bestLines(
    query,
    results.map(({ content, citation: { start_line: startLine, end_line: endLine } }) =>
      startLine === undefined || endLine === undefined
        ? undefined
        : { content, startLine, endLine },
    ),
  );
  return results.map((result, at) => {
    const lines = named[at];
    if (!lines) return result;
    return { ...result, best_lines: { start_line: lines.startLine, end_line: lines.endLine } };
  });
}

/** Comes last: joining passages and cutting them to a budget move their lines. */
function withUrl(result: SearchResult, scope: SearchScope): SearchResult {
  const located = (citation: Citation): Citation => {
    const url = citedUrl(scope.eligible.get(citation.source_id)?.source, citation);
    return url === undefined ? citation : { ...citation, url };
  };
  return {
    ...result,
    citation: located(result.citation),
    ...(result.also_at && { also_at: result.also_at.map(located) }),
  };
}

function sourcesOf(results: readonly SearchResult[], scope: SearchScope): ScopedSource[] {
  const ids = new Set(results.map(({ citation }) => citation.source_id));
  return [...ids].flatMap((id) => scope.eligible.get(id) ?? []);
}
