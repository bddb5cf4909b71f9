import { TimeSlices } from '#platform';
import { quantize, type QuantizedVector } from '#retrieval';

import type { Candidate, CandidateQuery, Candidates } from '../../search-index.port.js';
import type { IndexLayout } from '../index-layout.js';
import type { RankingData } from '../ranking-data.js';
import type { HitsPage } from '../row-reader.js';
import type { SearchServer } from '../server.js';
import type { GenerationEntry, SourceRecords } from '../source-records.js';
import type { AcceptedFiles } from './accepted-files.js';
import type { DocumentFrequencies } from './document-frequencies.js';
import { bestOf, byChunkId, deeperSearches, foundByRetriever, rowOf } from './exact-cut.js';
import { ChunkCompleter, type FoundChunk } from './found-chunk.js';
import type { RankingRows } from './ranking-rows.js';
import {
  type Retriever,
  type RetrieverScope,
  vectorRetrievers,
  wordRetrievers,
} from './search-retrievers.js';

export interface CandidateSearchDependencies {
  readonly server: SearchServer;
  readonly layout: IndexLayout;
  readonly records: SourceRecords;
  readonly frequencies: DocumentFrequencies;
  readonly files: AcceptedFiles;
  readonly rankings: RankingRows;
}

/** The first pages of some retrievers, and the data of their rows. */
interface FirstPages {
  readonly retrievers: readonly Retriever[];
  readonly pages: readonly HitsPage[];
  readonly rows: ReadonlyMap<string, RankingData>;
}

/**
 * Finds candidates. Searches by vector start at once, those by words when the statistics are known.
 * Unknown ranking data is read as soon as rows are found. The server's scores only approximate the
 * ranker's: lengths are rounded, the average length is that of all tenants, and the vector index is
 * approximate. So each retriever requests more than the limit and completes the rows. It searches
 * deeper if a missing row may score higher. The cut is by exact scores, ties by chunk id, as in the
 * embedded engine.
 */
export class CandidateSearch {
  constructor(private readonly dependencies: CandidateSearchDependencies) {}

  /** Starts with the records as last read, and reads them again at the same time. */
  async run(query: CandidateQuery): Promise<Candidates> {
    const { records } = this.dependencies;
    const sources = [...query.corpus, ...query.scope];
    const { entries, areCurrent } = await records.assumed(sources);
    const [found, current] = await Promise.allSettled([this.find(query, entries), areCurrent]);
    if (current.status === 'rejected') throw current.reason;
    // With changed records, neither a result nor a failure counts.
    if (!current.value) return this.find(query, await records.loaded(sources));
    if (found.status === 'rejected') throw found.reason;
    return found.value;
  }

  /** @param entries of the corpus, then of the scope. */
  private async find(
    query: CandidateQuery,
    entries: readonly GenerationEntry[],
  ): Promise<Candidates> {
    const { frequencies } = this.dependencies;
    const { scope, corpus, terms, limit } = query;
    const scoped = entries.slice(corpus.length);
    const tenants = [...new Set(scope.map(({ tenantId }) => tenantId))];
    const retrieverScope = this.accepted(query, scoped);
    const statisticsOf = frequencies.statistics(corpus, entries.slice(0, corpus.length), terms);
    const vectorsOf = queryVectors(scoped, query.vectorFor);
    const searched = query.filter ? null : scoped.reduce((sum, { chunks }) => sum + chunks, 0);
    const [byWords, byVectors, statistics, vectors] = await Promise.all([
      Promise.all([retrieverScope, statisticsOf]).then(([accepted, statistics]) =>
        this.first(accepted ? wordRetrievers(query, accepted, statistics) : [], tenants),
      ),
      Promise.all([retrieverScope, vectorsOf]).then(([accepted, vectors]) =>
        this.first(accepted ? vectorRetrievers(vectors, query, accepted) : [], tenants),
      ),
      statisticsOf,
      vectorsOf,
    ]);
    const byId = new Map(scope.map((source) => [`${source.tenantId}/${source.sourceId}`, source]));
    const sourceOf = (tenantId: string, sourceId: string) => byId.get(`${tenantId}/${sourceId}`);
    const completer = new ChunkCompleter({ terms, statistics, vectors, sourceOf });
    const found = [byWords, byVectors];
    const candidates = await this.cut(found, tenants, completer, limit);
    return { candidates: candidates.sort(byChunkId), statistics, searched };
  }

  /** Returns the scope with its filter for the server; null if no file of it is accepted. */
  private async accepted(
    { scope, filter }: CandidateQuery,
    entries: readonly GenerationEntry[],
  ): Promise<RetrieverScope | null> {
    if (scope.length === 0) return null;
    const accepted = filter ? await this.dependencies.files.filter(scope, entries, filter) : null;
    return accepted === 'nothing' ? null : { sources: scope, entries, accepted };
  }

  private async first(
    retrievers: readonly Retriever[],
    tenants: readonly string[],
  ): Promise<FirstPages> {
    const { server, layout } = this.dependencies;
    const searches = retrievers.flatMap((retriever) => retriever.searches);
    const pages = await server.searches<HitsPage>(layout.chunks, searches);
    return { retrievers, pages, rows: await this.rowsOf(pages, tenants) };
  }

  private rowsOf(
    pages: readonly HitsPage[],
    tenants: readonly string[],
  ): Promise<ReadonlyMap<string, RankingData>> {
    const rows = new Set(pages.flatMap((page) => page.hits.hits.map(rowOf)));
    return this.dependencies.rankings.read(rows, tenants);
  }

  private async cut(
    found: readonly FirstPages[],
    tenants: readonly string[],
    completer: ChunkCompleter,
    limit: number,
  ): Promise<Candidate[]> {
    const { server, layout } = this.dependencies;
    const retrievers = found.flatMap((each) => each.retrievers);
    const pages = found.flatMap((each) => each.pages);
    const chunks = new Map<string, FoundChunk>();
    for (const { rows } of found) await complete(rows, completer, chunks);
    const deeper = deeperSearches(retrievers, pages, chunks, limit);
    if (deeper.length > 0) {
      const more = await server.searches<HitsPage>(layout.chunks, deeper);
      deeper.forEach(({ at }, index) => (pages[at] = more[index] as HitsPage));
      await complete(await this.rowsOf(more, tenants), completer, chunks);
    }
    const candidates = new Set<Candidate>();
    for (const [retriever, rows] of foundByRetriever(retrievers, pages, chunks)) {
      for (const { candidate } of bestOf(retriever, rows).slice(0, limit))
        candidates.add(candidate);
    }
    return [...candidates];
  }
}

/** Adds the chunks of rows, with their exact scores. */
async function complete(
  rows: ReadonlyMap<string, RankingData>,
  completer: ChunkCompleter,
  into: Map<string, FoundChunk>,
): Promise<void> {
  const slices = new TimeSlices();
  for (const [row, data] of rows) {
    into.set(row, completer.complete(data));
    if (slices.isUsedUp) await slices.pause();
  }
}

/** Returns the query vectors of the models of some generations. */
export async function queryVectors(
  entries: readonly GenerationEntry[],
  vectorFor: CandidateQuery['vectorFor'],
): Promise<ReadonlyMap<string, QuantizedVector>> {
  const models = [...new Set(entries.map(({ embedder }) => embedder.id))];
  const vectors = new Map<string, QuantizedVector>();
  await Promise.all(
    models.map(async (model) => {
      const vector = await vectorFor(model);
      const quantized = vector && quantize(vector);
      if (quantized && quantized.scale > 0) vectors.set(model, quantized);
    }),
  );
  return vectors;
}
