import { TimeSlices } from '#platform';
import { quantize, type QuantizedVector } from '#retrieval';

import type { Candidate, CandidateQuery, Candidates } from '../../search-index.port.js';
import type { IndexLayout } from '../index-layout.js';
import type { HitsPage } from '../row-reader.js';
import type { SearchServer } from '../server.js';
import type { GenerationEntry, SourceRecords } from '../source-records.js';
import type { AcceptedFiles } from './accepted-files.js';
import type { DocumentFrequencies } from './document-frequencies.js';
import { bestOf, byChunkId, deeperSearches, foundByRetriever, rowOf } from './exact-cut.js';
import { ChunkCompleter, type FoundChunk } from './found-chunk.js';
import type { RankingRows } from './ranking-rows.js';
import { type Retriever, searchRetrievers } from './search-retrievers.js';

export interface CandidateSearchDependencies {
  readonly server: SearchServer;
  readonly layout: IndexLayout;
  readonly records: SourceRecords;
  readonly frequencies: DocumentFrequencies;
  readonly files: AcceptedFiles;
  readonly rankings: RankingRows;
}

/**
 * Finds candidates with one request of several searches, and reads unknown ranking data of their
 * rows with another. The server's scores only approximate the ranker's: lengths are rounded, the
 * average length is that of all tenants, and the vector index is approximate. So each retriever
 * requests more than the limit and completes the rows. It searches deeper if a missing row may
 * score higher. The cut is by exact scores, ties by chunk id, as in the embedded engine.
 */
export class CandidateSearch {
  constructor(private readonly dependencies: CandidateSearchDependencies) {}

  async run(query: CandidateQuery): Promise<Candidates> {
    const { records, frequencies, files } = this.dependencies;
    const { scope, corpus, terms, limit } = query;
    const entries = await records.loaded([...corpus, ...scope]);
    const scoped = entries.slice(corpus.length);
    const [statistics, vectors] = await Promise.all([
      frequencies.statistics(corpus, entries.slice(0, corpus.length), terms),
      queryVectors(scoped, query.vectorFor),
    ]);
    const searched = query.filter ? null : scoped.reduce((sum, { chunks }) => sum + chunks, 0);
    if (scope.length === 0) return { candidates: [], statistics, searched };
    const accepted = query.filter ? await files.filter(scope, scoped, query.filter) : null;
    if (accepted === 'nothing') return { candidates: [], statistics, searched };
    const size = limit + Math.max(32, Math.ceil(limit / 4));
    const retrievers = searchRetrievers(
      query,
      size,
      { sources: scope, entries: scoped, accepted },
      statistics,
      vectors,
    );
    const byId = new Map(scope.map((source) => [`${source.tenantId}/${source.sourceId}`, source]));
    const sourceOf = (tenantId: string, sourceId: string) => byId.get(`${tenantId}/${sourceId}`);
    const completer = new ChunkCompleter({ terms, statistics, vectors, sourceOf });
    const tenants = [...new Set(scope.map(({ tenantId }) => tenantId))];
    const candidates = await this.search(retrievers, tenants, completer, limit, size);
    return { candidates: candidates.sort(byChunkId), statistics, searched };
  }

  private async search(
    retrievers: readonly Retriever[],
    tenants: readonly string[],
    completer: ChunkCompleter,
    limit: number,
    size: number,
  ): Promise<Candidate[]> {
    const { server, layout } = this.dependencies;
    const searches = retrievers.flatMap((retriever) => retriever.searches);
    const pages = [...(await server.searches<HitsPage>(layout.chunks, searches))];
    const chunks = new Map<string, FoundChunk>();
    await this.complete(pages, tenants, completer, chunks);
    const deeper = deeperSearches(retrievers, pages, chunks, limit, size);
    if (deeper.length > 0) {
      const more = await server.searches<HitsPage>(layout.chunks, deeper);
      deeper.forEach(({ at }, index) => (pages[at] = more[index] as HitsPage));
      await this.complete(more, tenants, completer, chunks);
    }
    const candidates = new Set<Candidate>();
    for (const [retriever, found] of foundByRetriever(retrievers, pages, chunks)) {
      for (const { candidate } of bestOf(retriever, found).slice(0, limit))
        candidates.add(candidate);
    }
    return [...candidates];
  }

  /** Adds the chunks of pages, with their exact scores. */
  private async complete(
    pages: readonly HitsPage[],
    tenants: readonly string[],
    completer: ChunkCompleter,
    into: Map<string, FoundChunk>,
  ): Promise<void> {
    const rows = new Set(
      pages.flatMap((page) => page.hits.hits.map(rowOf)).filter((row) => !into.has(row)),
    );
    const slices = new TimeSlices();
    for (const [row, data] of await this.dependencies.rankings.read(rows, tenants)) {
      into.set(row, completer.complete(data));
      if (slices.isUsedUp) await slices.pause();
    }
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
