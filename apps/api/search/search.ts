import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { FootnoteError, isFootnoteError, type NoEvidence, type SearchResponse, type SearchResult } from '#contracts';
import { EMBEDDER, type Embedder } from '#models';
import { CLOCK, type Clock } from '#platform';
import {
  analyseQuery,
  fitToBudget,
  modelProfile,
  nothingFound,
  rank,
  refusalReasons,
  refused,
  type AnalysedQuery,
  type RankedChunk,
} from '#retrieval';
import { SEARCH_INDEX, type Candidate, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { LiveSourcesFollower, type SearchableSource } from '../followers/live-sources.follower.js';
import { PoliciesFollower } from '../followers/policies.follower.js';
import { searchResponse, toResult } from './search-answer.js';
import { chunkFilter, type ChunkFilter, type SearchRequest } from './search-request.js';
import { searchScope, type SearchScope } from './search-scope.js';

/** Candidates that each leg of the index gives to the ranker. */
const CANDIDATES_PER_LEG = 200;

/** Searches the live sources of the caller's tenant under its policy. */
export class Search extends Query<SearchResponse | NoEvidence> {
  constructor(
    readonly caller: Caller,
    readonly request: SearchRequest,
  ) {
    super();
  }
}

/** Policy, live generations and credentials are in memory: a search asks the index and the embedder, nothing else. */
@QueryHandler(Search)
export class SearchHandler implements IQueryHandler<Search> {
  constructor(
    private readonly liveSources: LiveSourcesFollower,
    private readonly policies: PoliciesFollower,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
    @Inject(EMBEDDER) private readonly embedder: Embedder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, request }: Search): Promise<SearchResponse | NoEvidence> {
    const started = this.clock.monotonic();
    const accept = chunkFilter(request);
    const live = this.liveSources.liveOf(caller.tenantId);
    try {
      return await this.search(caller, request, accept, live, started);
    } catch (error) {
      const now = this.liveSources.liveOf(caller.tenantId);
      if (!isFootnoteError(error, 'engine_unavailable') || sameGenerations(live, now)) throw error;
      return this.search(caller, request, accept, now, started);
    }
  }

  private async search(
    caller: Caller,
    request: SearchRequest,
    accept: ChunkFilter | undefined,
    live: readonly SearchableSource[],
    started: number,
  ): Promise<SearchResponse | NoEvidence> {
    const { settings: policy } = this.policies.policyOf(caller.tenantId);
    const scope = searchScope(live, request, policy, this.clock.now().getTime());
    const ranked = await this.ranked(analyseQuery(request.query), scope, live, accept);

    const found = { relevantCount: ranked.length, topScore: ranked[0]?.score ?? 0 };
    const reasons = refusalReasons(policy, found);
    if (reasons.length > 0) return refused(request.query, scope.searched.length, reasons);
    if (ranked.length === 0) return nothingFound(request.query, scope.searched.length);

    const results = await this.withContents(affordable(ranked.slice(0, request.top_k), request.max_tokens), scope);
    const fitting = await withinBudget(results, request.max_tokens);
    const elapsed = Math.round((this.clock.monotonic() - started) * 1000) / 1000;
    return searchResponse(request, scope, policy, fitting, ranked, elapsed);
  }

  private async ranked(
    query: AnalysedQuery,
    scope: SearchScope,
    corpus: readonly SearchableSource[],
    accept: ChunkFilter | undefined,
  ): Promise<RankedChunk<Candidate>[]> {
    if (scope.eligible.size === 0) return [];
    const vector = await this.embedder.embedQuery(query.text);
    const { candidates, statistics } = await this.index.candidates({
      scope: [...scope.eligible.values()].map(({ source }) => source),
      corpus,
      terms: query.terms,
      vector: vector.some((value) => value !== 0) ? vector : null,
      embedderId: this.embedder.id,
      identifiers: query.identifiers,
      limit: CANDIDATES_PER_LEG,
      ...(accept ? { accept } : {}),
    });
    const own = candidates.filter(({ sourceId }) => scope.eligible.has(sourceId));
    return rank(query, own, statistics, {
      ...modelProfile(this.embedder.id),
      sourceOf: (sourceId) => {
        const scoped = scope.eligible.get(sourceId);
        return { priority: scoped?.priority ?? 0, isRepository: scoped?.source.kind === 'repo' };
      },
    });
  }

  /** Reads the texts, one call a source. A text that is gone means that its generation was dropped meanwhile. */
  private async withContents(ranked: readonly RankedChunk<Candidate>[], scope: SearchScope): Promise<SearchResult[]> {
    const texts = new Map<string, string>();
    const bySource = Map.groupBy(ranked, ({ candidate }) => candidate.sourceId);
    await Promise.all(
      [...bySource].map(async ([sourceId, chunks]) => {
        const scoped = scope.eligible.get(sourceId);
        if (!scoped) return;
        const ids = chunks.map(({ candidate }) => candidate.chunkId);
        const contents = await this.index.contents(scoped.source, ids);
        for (const [at, id] of ids.entries()) {
          const content = contents[at];
          if (content !== undefined) texts.set(id, content);
        }
      }),
    );
    return ranked.map((chunk) => {
      const scoped = scope.eligible.get(chunk.candidate.sourceId);
      const content = texts.get(chunk.candidate.chunkId);
      if (!scoped || content === undefined) {
        throw new FootnoteError('engine_unavailable', 'The index is changing; repeat the search', { retryAfter: 1 });
      }
      return toResult(chunk, content, scoped);
    });
  }
}

/** The chunks that a budget may return, so that no text is read in vain: those that fit, or the first, to be cut. */
function affordable(ranked: readonly RankedChunk<Candidate>[], maxTokens: number): readonly RankedChunk<Candidate>[] {
  let used = 0;
  const beyond = ranked.findIndex(({ candidate }) => (used += candidate.tokenCount) > maxTokens);
  return beyond === -1 ? ranked : ranked.slice(0, Math.max(1, beyond));
}

/** The token counter is loaded only when a result has to be cut: it takes memory and a moment. */
async function withinBudget(results: readonly SearchResult[], maxTokens: number): Promise<SearchResult[]> {
  const tooBig = (results[0]?.token_count ?? 0) > maxTokens;
  const count = tooBig ? (await import('#ingest/chunk/tokens')).countO200k : () => 0;
  return fitToBudget(results, maxTokens, count);
}

function sameGenerations(a: readonly SearchableSource[], b: readonly SearchableSource[]): boolean {
  const names = (sources: readonly SearchableSource[]) =>
    sources
      .map(({ sourceId, generation }) => `${sourceId}:${generation}`)
      .sort()
      .join();
  return names(a) === names(b);
}
