import { inverseDocumentFrequency, quantise, type QuantisedVector } from '#retrieval';

import type { Candidate, CandidateQuery, Candidates, LiveSource } from '../search-index.port.js';
import type { AcceptedFiles } from './accepted-files.js';
import type { DocumentFrequencies } from './document-frequencies.js';
import { ChunkCompleter, type FoundChunk } from './found-chunk.js';
import { vectorField, type IndexLayout } from './index-layout.js';
import { rowFilters, type RowFilter } from './row-filter.js';
import type { HitsPage } from './row-reader.js';
import type { SearchServer } from './server.js';
import type { GenerationEntry, SourceRecords } from './source-records.js';

export interface CandidateSearchParts {
  readonly server: SearchServer;
  readonly layout: IndexLayout;
  readonly records: SourceRecords;
  readonly frequencies: DocumentFrequencies;
  readonly files: AcceptedFiles;
}

/** A search takes a bounded number of clauses. Of more terms the rarest look for candidates; all of them score. */
const MAX_LEG_TERMS = 300;

/** Up to so many chunks all vectors of a scope are compared. */
const SCANNED_CHUNKS = 20_000;
const GRAPH_NEIGHBOURS = 1_000;

/** How one leg orders and keeps what its searches found. */
interface Leg {
  readonly searches: readonly { readonly routing: readonly string[]; readonly body: object }[];
  readonly scoreOf: (found: FoundChunk) => number;
  /** Chunks that score nothing are not found by this leg. */
  readonly aboveZero: boolean;
}

interface Scope {
  readonly sources: readonly LiveSource[];
  readonly entries: readonly GenerationEntry[];
  readonly accepted: object | null;
}

/**
 * Finds candidates with one request of several searches. The server's scores are near the ranker's but not equal: lengths
 * are rounded and the vector index is approximate. So each leg asks for more than the limit, completes what came, and is
 * cut by exact scores, ties by chunk id, as the embedded engine cuts.
 */
export class CandidateSearch {
  constructor(private readonly parts: CandidateSearchParts) {}

  async run(query: CandidateQuery): Promise<Candidates> {
    const { records, frequencies, files } = this.parts;
    const { scope, corpus, terms, limit } = query;
    const entries = await records.loaded([...corpus, ...scope]);
    const scoped = entries.slice(corpus.length);
    const [statistics, vectors] = await Promise.all([
      frequencies.statistics(corpus, entries.slice(0, corpus.length), terms),
      queryVectors(scoped, query.vectorFor),
    ]);
    if (scope.length === 0) return { candidates: [], statistics };
    const accepted = query.accept ? await files.filter(scope, scoped, query.accept) : null;
    if (accepted === 'nothing') return { candidates: [], statistics };
    const legs = this.legs(query, { sources: scope, entries: scoped, accepted }, statistics, vectors);
    const byId = new Map(scope.map((source) => [`${source.tenantId}/${source.sourceId}`, source]));
    const sourceOf = (tenantId: string, sourceId: string) => byId.get(`${tenantId}/${sourceId}`);
    const completer = new ChunkCompleter({ terms, statistics, vectors, sourceOf });
    const candidates = await this.search(legs, completer, limit);
    return { candidates: candidates.sort(byChunkId), statistics };
  }

  private async search(legs: readonly Leg[], completer: ChunkCompleter, limit: number): Promise<Candidate[]> {
    const { server, layout } = this.parts;
    const pages = await server.searches<HitsPage>(
      layout.chunks,
      legs.flatMap(({ searches }) => searches),
    );
    const candidates = new Map<string, Candidate>();
    let first = 0;
    for (const { searches, scoreOf, aboveZero } of legs) {
      const hits = pages.slice(first, (first += searches.length)).flatMap((page) => page.hits.hits);
      const found = new Map<string, FoundChunk>();
      for (const { fields } of hits) {
        const chunk = completer.complete(fields?.ranking?.[0] ?? '');
        if (!aboveZero || scoreOf(chunk) > 0)
          found.set(`${chunk.candidate.sourceId}/${chunk.candidate.chunkId}`, chunk);
      }
      const best = [...found].sort(([, a], [, b]) => scoreOf(b) - scoreOf(a) || byChunkId(a.candidate, b.candidate));
      for (const [id, { candidate }] of best.slice(0, limit)) candidates.set(id, candidate);
    }
    return [...candidates.values()];
  }

  private legs(
    { terms, identifiers, limit }: CandidateQuery,
    scope: Scope,
    statistics: Candidates['statistics'],
    vectors: ReadonlyMap<string, QuantisedVector>,
  ): Leg[] {
    const size = limit + Math.max(32, Math.ceil(limit / 4));
    const weighted = weightedTerms(terms, statistics);
    const filters = rowFilters(scope.sources);
    const lexical = (more: readonly object[], least: number): Leg => ({
      searches: filters.map((filter) => {
        const bool = { filter: clausesOf(filter, scope, more), should: weighted, minimum_should_match: least };
        return search(filter, size, { bool }, [{ _score: 'desc' }, { chunk_id: 'asc' }]);
      }),
      scoreOf: ({ termScore }) => termScore,
      aboveZero: least > 0,
    });
    const legs: Leg[] = [];
    if (weighted.length > 0) legs.push(lexical([], 1));
    if (identifiers.length > 0) legs.push(lexical([{ terms: { defs: [...identifiers] } }], 0));
    for (const [model, vector] of vectors) {
      const sources = scope.sources.filter((_, at) => isOf(scope.entries[at], model, vector));
      const field = vectorField({ id: model, dimensions: vector.q.length });
      const chunks = scope.entries.reduce((sum, entry) => sum + (isOf(entry, model, vector) ? entry.chunks : 0), 0);
      const nearest = chunks <= SCANNED_CHUNKS ? scanned : fromGraph;
      legs.push({
        searches: rowFilters(sources).map((filter) => {
          const among = { bool: { filter: [...clausesOf(filter, scope, []), { exists: { field } }] } };
          return search(filter, size, nearest(field, Array.from(vector.q), size, among));
        }),
        scoreOf: ({ candidate }) => candidate.cosine,
        aboveZero: true,
      });
    }
    return legs;
  }
}

/** Compares every vector, for scopes in which that costs little: what it finds is exact. */
function scanned(field: string, vector: readonly number[], _size: number, among: object): object {
  const params = { field, query_value: vector, space_type: 'cosinesimil' };
  return { script_score: { query: among, script: { lang: 'knn', source: 'knn_score', params } } };
}

/** Follows the vector index, with an eye on more neighbours than are asked for: of the best 200 it misses few. */
function fromGraph(field: string, vector: readonly number[], size: number, among: object): object {
  const method_parameters = { ef_search: Math.max(GRAPH_NEIGHBOURS, 4 * size) };
  return { knn: { [field]: { vector, k: size, filter: among, method_parameters } } };
}

function search(filter: RowFilter, size: number, query: object, sort?: readonly object[]): Leg['searches'][number] {
  const read = { _source: false, stored_fields: '_none_', docvalue_fields: ['ranking'], track_total_hits: false };
  return { routing: filter.routing, body: { size, query, ...read, ...(sort && { sort }) } };
}

function clausesOf(filter: RowFilter, { accepted }: Scope, more: readonly object[]): object[] {
  return [filter.clause, ...(accepted ? [accepted] : []), ...more];
}

/** Terms with the weight that the corpus gives them. */
function weightedTerms(terms: readonly string[], { chunks, documentFrequencies }: Candidates['statistics']): object[] {
  return terms
    .map((value, at) => ({ value, count: documentFrequencies[at] as number }))
    .sort((a, b) => a.count - b.count)
    .slice(0, MAX_LEG_TERMS)
    .map(({ value, count }) => ({ term: { tokens: { value, boost: inverseDocumentFrequency(chunks, count) } } }));
}

async function queryVectors(
  entries: readonly GenerationEntry[],
  vectorFor: CandidateQuery['vectorFor'],
): Promise<ReadonlyMap<string, QuantisedVector>> {
  const models = [...new Set(entries.map(({ embedder }) => embedder.id))];
  const vectors = new Map<string, QuantisedVector>();
  await Promise.all(
    models.map(async (model) => {
      const vector = await vectorFor(model);
      const quantised = vector && quantise(vector);
      if (quantised && quantised.scale > 0) vectors.set(model, quantised);
    }),
  );
  return vectors;
}

function isOf(entry: GenerationEntry | undefined, model: string, vector: QuantisedVector): boolean {
  return entry?.embedder.id === model && entry.embedder.dimensions === vector.q.length && entry.chunks > 0;
}

function byChunkId(a: Candidate, b: Candidate): number {
  return a.chunkId < b.chunkId ? -1 : a.chunkId > b.chunkId ? 1 : a.sourceId < b.sourceId ? -1 : 1;
}
