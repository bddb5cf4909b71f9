import { FootnoteError, type SearchResult } from '#contracts';
import type { Reranker, SentenceEncoder } from '#models';
import type { Clock } from '#platform';
import type { AnalyzedQuery, CorpusStatistics, RankedChunk } from '#retrieval';
import type { Candidate, RankedCandidates, SearchIndex } from '#search-index';

import { addSentences } from './add-sentences.js';
import { choosePassagesInFiles } from './choose-passages-in-files.js';
import { citedDefinition, showsDefinitionAlone } from './cited-definition.js';
import { QueryModels } from './query-models.js';
import { rerankResults } from './rerank-results.js';
import { toResult } from './search-answer.js';
import type { SearchMoment } from './search-moment.js';
import { chunkFilter, type SearchRequest } from './search-request.js';
import type { BegunSearch, SearchRun } from './search-run.js';
import { rankedSource, searchScope } from './search-scope.js';
import { ownersOf } from './visible-sources.js';
import { tokenCounter } from './within-budget.js';

/** Candidates that each leg of the index gives to the ranker. */
const CANDIDATES_PER_LEG = 200;

/** Models that read passages besides the embedders; null without one. */
export interface PassageReaders {
  readonly encoder: SentenceEncoder | null;
  readonly reranker: Reranker | null;
}

/**
 * The steps of a hybrid search. They ask the index and the models, nothing else: the rest is the
 * moment's.
 */
export class SearchSteps {
  constructor(
    private readonly index: SearchIndex,
    private readonly models: QueryModels,
    private readonly clock: Clock,
    private readonly readers: PassageReaders,
  ) {}

  /** @throws FootnoteError `validation_failed` for a filter that cannot be used. */
  begin<Request extends SearchRequest>(
    request: Request,
    signal?: AbortSignal,
  ): BegunSearch<Request> {
    const started = this.clock.monotonic();
    const elapsed = (): number => Math.round((this.clock.monotonic() - started) * 1000) / 1000;
    return { request, filter: chunkFilter(request), elapsed, signal };
  }

  /** Returns the sources that the request and the policy allow. */
  scope<Request extends SearchRequest>(
    begun: BegunSearch<Request>,
    moment: SearchMoment,
  ): SearchRun<Request> {
    const scope = searchScope(moment, begun.request, moment.policy, moment.now);
    return { ...begun, moment, scope, models: new Set(), vectors: new Map() };
  }

  /**
   * Returns the relevant chunks of the scope by words, by vectors and by names, best first, source
   * priorities applied; null where nothing is in scope.
   *
   * @param isHop whether the query has words of earlier results: its scores are part of those of
   * the question
   */
  async ranked(
    query: AnalyzedQuery,
    run: SearchRun,
    isHop = false,
  ): Promise<RankedCandidates | null> {
    const { request, scope, moment, filter, signal } = run;
    signal?.throwIfAborted();
    if (scope.eligible.size === 0) return null;
    const asked = {
      tenants: ownersOf(moment.audiences, moment.tenantId),
      scope: [...scope.eligible.values()].map(({ source }) => source),
      corpus: moment.sources,
      terms: query.terms,
      vectorFor: this.vectorFor(query, run),
      identifiers: query.identifiers,
      limit: CANDIDATES_PER_LEG,
      ...(filter ? { filter } : {}),
      ...(moment.retrievalVersion && { retrievalVersion: moment.retrievalVersion }),
    };
    return this.index.ranked(asked, {
      query,
      isHop,
      explain: request.explain,
      pathPatterns: request.path_patterns,
      profileOf: (model) => this.models.profileOf(model),
      sourceOf: (sourceId) => rankedSource(scope.eligible.get(sourceId)),
    });
  }

  /** Returns a ranking whose first files show their best passages. */
  async passages(
    query: AnalyzedQuery,
    found: RankedCandidates | null,
    ranked: readonly RankedChunk<Candidate>[],
    run: SearchRun,
  ): Promise<readonly RankedChunk<Candidate>[]> {
    if (!found) return ranked;
    const { scope, signal } = run;
    signal?.throwIfAborted();
    return choosePassagesInFiles(this.index, ranked, {
      ...this.shared(query, found, run),
      liveOf: (sourceId) => scope.eligible.get(sourceId)?.source,
      signal,
    });
  }

  /** Returns a ranking with what the sentence encoder found, if one is installed. */
  async sentences(
    query: AnalyzedQuery,
    found: RankedCandidates | null,
    ranked: readonly RankedChunk<Candidate>[],
    run: SearchRun,
  ): Promise<readonly RankedChunk<Candidate>[]> {
    if (!found) return ranked;
    const { scope, filter, signal } = run;
    signal?.throwIfAborted();
    const { encoder } = this.readers;
    return addSentences({ index: this.index.sentences, encoder }, ranked, {
      ...this.shared(query, found, run),
      run,
      scope: [...scope.eligible.values()],
      ...(filter ? { filter } : {}),
    });
  }

  /** Returns a ranking in the order of the reranker, if one is configured and answers in time. */
  async reranked(
    query: AnalyzedQuery,
    ranked: readonly RankedChunk<Candidate>[],
    run: SearchRun,
  ): Promise<readonly RankedChunk<Candidate>[]> {
    const contents = (chunks: readonly RankedChunk<Candidate>[]) => this.contents(chunks, run);
    return rerankResults(this.readers.reranker, ranked, { query, run, contents });
  }

  /** Returns the rarity of terms in all live content of the tenant; reads no chunk. */
  async statistics(
    terms: readonly string[],
    { moment, signal }: SearchRun,
  ): Promise<CorpusStatistics> {
    signal?.throwIfAborted();
    const nowhere = {
      scope: [],
      vectorFor: () => Promise.resolve(null),
      identifiers: [],
      limit: 1,
    };
    const tenants = ownersOf(moment.audiences, moment.tenantId);
    return (await this.index.candidates({ ...nowhere, tenants, corpus: moment.sources, terms }))
      .statistics;
  }

  /**
   * Reads the texts, one call a source. A text that is gone means that its generation was dropped
   * in the meantime.
   */
  async contents(
    ranked: readonly RankedChunk<Candidate>[],
    { scope, signal }: SearchRun,
  ): Promise<string[]> {
    signal?.throwIfAborted();
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
    return ranked.map(({ candidate }) => texts.get(candidate.chunkId) ?? changing());
  }

  /** Returns the results for ranked chunks. */
  async results(
    ranked: readonly RankedChunk<Candidate>[],
    query: AnalyzedQuery,
    run: SearchRun,
  ): Promise<SearchResult[]> {
    const contents = await this.contents(ranked, run);
    const isNarrowed = ranked.some(({ candidate }) => showsDefinitionAlone(query, candidate));
    const count = isNarrowed ? await tokenCounter() : undefined;
    return ranked.map((chunk, at) => {
      const content = contents[at] ?? changing();
      const cited = citedDefinition(query, chunk.candidate, content);
      const isWhole = count === undefined || cited.content === content;
      const tokens = isWhole ? chunk.candidate.tokenCount : count(cited.content);
      return toResult(chunk, cited, tokens, run.scope) ?? changing();
    });
  }

  /** Returns what the steps after the ranking need of its search. */
  private shared(query: AnalyzedQuery, { statistics }: RankedCandidates, run: SearchRun) {
    const { moment } = run;
    return {
      query,
      statistics,
      tenants: ownersOf(moment.audiences, moment.tenantId),
      vectorFor: this.vectorFor(query, run),
      profileOf: (model: string | undefined) => this.models.profileOf(model),
    };
  }

  private vectorFor(query: AnalyzedQuery, run: SearchRun) {
    return async (model: string) =>
      query.saysNothing ? null : this.vector(model, query.text, run);
  }

  private async vector(
    model: string,
    text: string,
    { moment, models, vectors, signal }: SearchRun,
  ): Promise<Float32Array | null> {
    if (moment.models && !moment.models.includes(model)) return null;
    const key = `${model}\n${text}`;
    let embedding = vectors.get(key);
    if (!embedding) vectors.set(key, (embedding = this.models.embed(model, text, signal)));
    const vector = await embedding;
    if (vector) models.add(model);
    return vector;
  }
}

function changing(): never {
  throw new FootnoteError('engine_unavailable', 'The index is changing; repeat the search', {
    retryAfter: 1,
  });
}
