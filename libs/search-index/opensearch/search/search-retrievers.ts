import { inverseDocumentFrequency, type QuantizedVector } from '#retrieval';

import type { CandidateQuery, Candidates, LiveSource } from '../../search-index.port.js';
import { vectorField } from '../index-layout.js';
import { type RowFilter, rowFilters } from '../row-filter.js';
import type { GenerationEntry } from '../source-records.js';
import type { FoundChunk } from './found-chunk.js';

/**
 * A search takes a bounded number of clauses. Of more terms, the rarest find candidates; all of
 * them score.
 */
const MAX_RETRIEVER_TERMS = 300;

/** Maximum number of rows of a deeper search. */
const MAX_DEEP_ROWS = 5_000;

/** Up to this many chunks, all vectors of a scope are compared. */
const SCANNED_CHUNKS = 20_000;
const GRAPH_NEIGHBORS = 1_000;

export interface RetrieverSearch {
  readonly routing: readonly string[];
  readonly body: object;
  /**
   * Returns the same search for all rows that reach a score of the server, equal scores by chunk
   * id. Undefined if the scores are exact.
   */
  readonly deeper?: (leastScore: number) => object;
}

/** A way to find candidates: its searches, and how it orders and cuts their results. */
export interface Retriever {
  readonly searches: readonly RetrieverSearch[];
  readonly scoreOf: (found: FoundChunk) => number;
  /** True if this retriever ignores chunks that score nothing. */
  readonly aboveZero: boolean;
}

export interface RetrieverScope {
  readonly sources: readonly LiveSource[];
  readonly entries: readonly GenerationEntry[];
  /** A clause that matches what the query's filter accepts. */
  readonly accepted: object | null;
}

/**
 * Returns the retrievers of a query: by its terms, by its identifiers, and by its vector of each
 * model.
 */
export function searchRetrievers(
  { terms, identifiers }: CandidateQuery,
  size: number,
  scope: RetrieverScope,
  statistics: Candidates['statistics'],
  vectors: ReadonlyMap<string, QuantizedVector>,
): Retriever[] {
  const weighted = weightedTerms(terms, statistics);
  const retrievers: Retriever[] = [];
  if (weighted.length > 0) retrievers.push(lexicalRetriever(weighted, size, scope, [], 1));
  if (identifiers.length > 0) {
    retrievers.push(
      lexicalRetriever(weighted, size, scope, [{ terms: { defs: [...identifiers] } }], 0),
    );
  }
  for (const [model, vector] of vectors)
    retrievers.push(vectorRetriever(model, vector, size, scope));
  return retrievers;
}

function lexicalRetriever(
  weighted: readonly object[],
  size: number,
  scope: RetrieverScope,
  more: readonly object[],
  least: number,
): Retriever {
  const order = [{ _score: 'desc' }, { chunk_id: 'asc' }];
  return {
    searches: rowFilters(scope.sources).map((filter) => {
      const bool = {
        filter: clausesOf(filter, scope, more),
        should: weighted,
        minimum_should_match: least,
      };
      const found = search(filter, size, { bool });
      const deeper = (min_score: number) => ({
        ...found.body,
        size: MAX_DEEP_ROWS,
        min_score,
        sort: order,
      });
      return { ...found, deeper };
    }),
    scoreOf: ({ termScore }) => termScore,
    aboveZero: least > 0,
  };
}

function vectorRetriever(
  model: string,
  vector: QuantizedVector,
  size: number,
  scope: RetrieverScope,
): Retriever {
  const sources = scope.sources.filter((_, at) => isOf(scope.entries[at], model, vector));
  const field = vectorField({ id: model, dimensions: vector.q.length });
  const chunks = scope.entries.reduce(
    (sum, entry) => sum + (isOf(entry, model, vector) ? entry.chunks : 0),
    0,
  );
  const nearest = chunks <= SCANNED_CHUNKS ? scanned : fromGraph;
  return {
    searches: rowFilters(sources).map((filter) => {
      const among = { bool: { filter: [...clausesOf(filter, scope, []), { exists: { field } }] } };
      return search(filter, size, nearest(field, Array.from(vector.q), size, among));
    }),
    scoreOf: ({ candidate }) => candidate.cosine,
    aboveZero: true,
  };
}

/** Compares every vector, for scopes in which that is cheap; the result is exact. */
function scanned(field: string, vector: readonly number[], _size: number, among: object): object {
  const params = { field, query_value: vector, space_type: 'cosinesimil' };
  return { script_score: { query: among, script: { lang: 'knn', source: 'knn_score', params } } };
}

/**
 * Searches the vector index with more neighbors than requested, so that it misses few of the best
 * 200.
 */
function fromGraph(field: string, vector: readonly number[], size: number, among: object): object {
  const method_parameters = { ef_search: Math.max(GRAPH_NEIGHBORS, 4 * size) };
  return { knn: { [field]: { vector, k: size, filter: among, method_parameters } } };
}

function search(
  filter: RowFilter,
  size: number,
  query: object,
): Pick<RetrieverSearch, 'routing' | 'body'> {
  const read = {
    _source: false,
    stored_fields: '_none_',
    docvalue_fields: ['row_id'],
    track_total_hits: false,
  };
  return { routing: filter.routing, body: { size, query, ...read } };
}

function clausesOf(
  filter: RowFilter,
  { accepted }: RetrieverScope,
  more: readonly object[],
): object[] {
  return [filter.clause, ...(accepted ? [accepted] : []), ...more];
}

/** Returns terms with their weights in the corpus. */
function weightedTerms(
  terms: readonly string[],
  { chunks, documentFrequencies }: Candidates['statistics'],
): object[] {
  return terms
    .map((value, at) => ({ value, count: documentFrequencies[at] as number }))
    .sort((a, b) => a.count - b.count)
    .slice(0, MAX_RETRIEVER_TERMS)
    .map(({ value, count }) => ({
      term: { tokens: { value, boost: inverseDocumentFrequency(chunks, count) } },
    }));
}

function isOf(entry: GenerationEntry | undefined, model: string, vector: QuantizedVector): boolean {
  return (
    entry?.embedder.id === model &&
    entry.embedder.dimensions === vector.q.length &&
    entry.chunks > 0
  );
}
