import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, isFootnoteError, type NoEvidence, type SearchResult } from '#contracts';
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
import { SEARCH_INDEX, type Candidate, type ChunkFilter, type SearchIndex } from '#search-index';

import type { SearchableSource } from '../../sources/live-sources.js';
import { QueryModels } from './query-models.js';
import { toResult } from './search-answer.js';
import type { SearchMoment } from './search-moment.js';
import { chunkFilter, type SearchRequest } from './search-request.js';
import { leftOut, searchScope, type SearchScope } from './search-scope.js';

/** Candidates that each leg of the index gives to the ranker. */
const CANDIDATES_PER_LEG = 200;

/** One search under the policy and over the generations of one moment. */
export interface SearchRun<Request extends SearchRequest = SearchRequest> {
  readonly request: Request;
  readonly moment: SearchMoment;
  readonly scope: SearchScope;
  /** Models that the query was embedded with so far. */
  readonly models: Set<string>;
  readonly filter: ChunkFilter | undefined;
  /** Milliseconds since the request arrived. */
  readonly elapsed: () => number;
}

/** The steps that every kind of search is made of. They ask the index and the models, nothing else: the rest is the moment's. */
@Injectable()
export class HybridSearch {
  constructor(
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
    private readonly models: QueryModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Runs `answer`, once more when a generation that it read was replaced meanwhile. @throws what `answer` throws */
  async run<Request extends SearchRequest, T>(
    request: Request,
    momentOf: () => SearchMoment,
    answer: (run: SearchRun<Request>) => Promise<T>,
  ): Promise<T> {
    const started = this.clock.monotonic();
    const filter = chunkFilter(request);
    const elapsed = (): number => Math.round((this.clock.monotonic() - started) * 1000) / 1000;
    const at = (moment: SearchMoment): Promise<T> => {
      const scope = searchScope(moment.sources, request, moment.policy, moment.now);
      return answer({ request, moment, scope, models: new Set(), filter, elapsed });
    };
    const first = momentOf();
    try {
      return await at(first);
    } catch (error) {
      const second = momentOf();
      if (!isFootnoteError(error, 'engine_unavailable') || sameGenerations(first.sources, second.sources)) throw error;
      return at(second);
    }
  }

  /** What is relevant to the query, best first, source priorities applied. */
  async ranked(query: AnalysedQuery, run: SearchRun): Promise<RankedChunk<Candidate>[]> {
    const { scope, moment, filter } = run;
    if (scope.eligible.size === 0) return [];
    const { candidates, statistics } = await this.index.candidates({
      scope: [...scope.eligible.values()].map(({ source }) => source),
      corpus: moment.sources,
      terms: query.terms,
      vectorFor: (model) => this.vector(model, query.text, run),
      identifiers: query.identifiers,
      limit: CANDIDATES_PER_LEG,
      ...(filter ? { filter } : {}),
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
  async statistics(terms: readonly string[], { moment }: SearchRun): Promise<CorpusStatistics> {
    const nowhere = { scope: [], vectorFor: () => Promise.resolve(null), identifiers: [], limit: 1 };
    return (await this.index.candidates({ ...nowhere, corpus: moment.sources, terms })).statistics;
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

  private async vector(model: string, text: string, { moment, models }: SearchRun): Promise<Float32Array | null> {
    if (moment.models && !moment.models.includes(model)) return null;
    const vector = await this.models.embed(model, text);
    if (vector) models.add(model);
    return vector;
  }
}

/** The payload that is answered when nothing was found or the policy refuses what was; undefined when it may be answered. */
export function withoutEvidence(
  { request, moment, scope }: SearchRun,
  ranked: readonly RankedChunk<Candidate>[],
): NoEvidence | undefined {
  const reasons = refusalReasons(moment.policy, { relevantCount: ranked.length, topScore: ranked[0]?.score ?? 0 });
  if (reasons.length > 0) return refused(request.query, scope.searched.length, reasons, leftOut(scope));
  return ranked.length === 0 ? nothingFound(request.query, scope.searched.length, leftOut(scope)) : undefined;
}

function sameGenerations(a: readonly SearchableSource[], b: readonly SearchableSource[]): boolean {
  const names = (sources: readonly SearchableSource[]) =>
    sources
      .map(({ sourceId, generation }) => `${sourceId}:${generation}`)
      .sort()
      .join();
  return names(a) === names(b);
}
