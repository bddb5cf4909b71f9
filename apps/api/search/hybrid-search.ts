import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, isFootnoteError, type NoEvidence, type PolicySettings, type SearchResult } from '#contracts';
import { CLOCK, type Clock } from '#platform';
import {
  nothingFound,
  rank,
  refusalReasons,
  refused,
  type AnalysedQuery,
  type CorpusStatistics,
  type RankedChunk,
} from '#retrieval';
import { SEARCH_INDEX, type Candidate, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { LiveSourcesFollower, type SearchableSource } from '../followers/live-sources.follower.js';
import { PoliciesFollower } from '../followers/policies.follower.js';
import { QueryModels } from './query-models.js';
import { toResult } from './search-answer.js';
import { chunkFilter, type ChunkFilter, type SearchRequest } from './search-request.js';
import { searchScope, type SearchScope } from './search-scope.js';

/** Candidates that each leg of the index gives to the ranker. */
const CANDIDATES_PER_LEG = 200;

/** One search under the policy and over the generations of one moment. */
export interface SearchRun<Request extends SearchRequest = SearchRequest> {
  readonly request: Request;
  readonly policy: PolicySettings;
  readonly scope: SearchScope;
  /** Everything live of the tenant: what statistics are taken over. */
  readonly corpus: readonly SearchableSource[];
  readonly accept: ChunkFilter | undefined;
  /** Milliseconds since the request arrived. */
  readonly elapsed: () => number;
}

/** The steps that every kind of search is made of. Policy, live generations and credentials are in memory: they ask the index and the embedder, nothing else. */
@Injectable()
export class HybridSearch {
  constructor(
    private readonly liveSources: LiveSourcesFollower,
    private readonly policies: PoliciesFollower,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
    private readonly models: QueryModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Runs `answer`, once more when a generation that it read was replaced meanwhile. @throws what `answer` throws */
  async run<Request extends SearchRequest, T>(
    { tenantId }: Caller,
    request: Request,
    answer: (run: SearchRun<Request>) => Promise<T>,
  ): Promise<T> {
    const started = this.clock.monotonic();
    const accept = chunkFilter(request);
    const over = (corpus: readonly SearchableSource[]): Promise<T> => {
      const { settings: policy } = this.policies.policyOf(tenantId);
      const scope = searchScope(corpus, request, policy, this.clock.now().getTime());
      const elapsed = (): number => Math.round((this.clock.monotonic() - started) * 1000) / 1000;
      return answer({ request, policy, scope, corpus, accept, elapsed });
    };
    const live = this.liveSources.liveOf(tenantId);
    try {
      return await over(live);
    } catch (error) {
      const now = this.liveSources.liveOf(tenantId);
      if (!isFootnoteError(error, 'engine_unavailable') || sameGenerations(live, now)) throw error;
      return over(now);
    }
  }

  /** What is relevant to the query, best first, source priorities applied. */
  async ranked(query: AnalysedQuery, { scope, corpus, accept }: SearchRun): Promise<RankedChunk<Candidate>[]> {
    if (scope.eligible.size === 0) return [];
    const { candidates, statistics } = await this.index.candidates({
      scope: [...scope.eligible.values()].map(({ source }) => source),
      corpus,
      terms: query.terms,
      vectorFor: (model) => this.models.embed(model, query.text),
      identifiers: query.identifiers,
      limit: CANDIDATES_PER_LEG,
      ...(accept ? { accept } : {}),
    });
    const own = candidates.filter(({ sourceId }) => scope.eligible.has(sourceId));
    return rank(query, own, statistics, {
      profileOf: (model) => this.models.profileOf(model),
      sourceOf: (sourceId) => {
        const scoped = scope.eligible.get(sourceId);
        return { priority: scoped?.priority ?? 0, isRepository: scoped?.source.kind === 'repo' };
      },
    });
  }

  /** How rare terms are in everything live of the tenant; looks at no chunk. */
  async statistics(terms: readonly string[], { corpus }: SearchRun): Promise<CorpusStatistics> {
    const nowhere = { scope: [], vectorFor: () => Promise.resolve(null), identifiers: [], limit: 1 };
    return (await this.index.candidates({ ...nowhere, corpus, terms })).statistics;
  }

  /** Reads the texts, one call a source. A text that is gone means that its generation was dropped meanwhile. */
  async results(ranked: readonly RankedChunk<Candidate>[], { scope }: SearchRun): Promise<SearchResult[]> {
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

/** The payload that is answered when nothing was found or the policy refuses what was; undefined when it may be answered. */
export function withoutEvidence(
  { request, policy, scope }: SearchRun,
  ranked: readonly RankedChunk<Candidate>[],
): NoEvidence | undefined {
  const reasons = refusalReasons(policy, { relevantCount: ranked.length, topScore: ranked[0]?.score ?? 0 });
  if (reasons.length > 0) return refused(request.query, scope.searched.length, reasons);
  return ranked.length === 0 ? nothingFound(request.query, scope.searched.length) : undefined;
}

function sameGenerations(a: readonly SearchableSource[], b: readonly SearchableSource[]): boolean {
  const names = (sources: readonly SearchableSource[]) =>
    sources
      .map(({ sourceId, generation }) => `${sourceId}:${generation}`)
      .sort()
      .join();
  return names(a) === names(b);
}
