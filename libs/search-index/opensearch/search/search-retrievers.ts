import { inverseDocumentFrequency, type QuantizedVector } from '#retrieval';

import type { CandidateQuery, Candidates, LiveSource } from '../../search-index.port.js';
import { vectorField } from '../index-layout.js';
import { type RowFilter, rowFilters } from '../row-filter.js';
import type { GenerationEntry } from '../source-records.js';
import { exactWeights, type FoundChunk } from './found-chunk.js';
import type { ExactWeights } from './server-scores.js';

/**
 * A search takes a bounded number of clauses. Of more terms, the rarest find candidates; all of
 * them score.
 */
const MAX_RETRIEVER_TERMS = 300;

/**
 * Rows of a search by words, in candidates of its limit. Server scores of common words lie close
 * together: with fewer rows, nearly every search would need a second one that goes deeper.
 */
const WORD_ROWS = 1.5;

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
  /** Rows that each search returns at most. */
  readonly size: number;
  readonly scoreOf: (found: FoundChunk) => number;
  /** The values of exact scores, if the server scores by the same terms. */
  readonly weights?: ExactWeights;
  /** True if this retriever ignores chunks that score nothing. */
  readonly aboveZero: boolean;
}

export interface RetrieverScope {
  readonly sources: readonly LiveSource[];
  readonly entries: readonly GenerationEntry[];
  /** A clause that matches what the query's filter accepts. */
  readonly accepted: object | null;
}

/** Returns the retrievers of a query by its terms and by its identifiers. */
export function wordRetrievers(
  { terms, identifiers, limit }: CandidateQuery,
  scope: RetrieverScope,
  statistics: Candidates['statistics'],
): Retriever[] {
  const size = Math.ceil(limit * WORD_ROWS);
  const weighted = weightedTerms(terms, statistics);
  const scoring = {
    weighted,
    ...(weighted.length === terms.length && { weights: exactWeights(statistics) }),
  };
  const retrievers: Retriever[] = [];
  if (weighted.length > 0) retrievers.push(lexicalRetriever(scoring, size, scope, [], 1));
  if (identifiers.length > 0) {
    retrievers.push(
      lexicalRetriever(scoring, size, scope, [{ terms: { defs: [...identifiers] } }], 0),
    );
  }
  return retrievers;
}

/** Returns the retrievers of a query by its vector of each model. They need no statistics. */
export function vectorRetrievers(
  vectors: ReadonlyMap<string, QuantizedVector>,
  { limit }: CandidateQuery,
  scope: RetrieverScope,
): Retriever[] {
  const size = limit + Math.max(32, Math.ceil(limit / 4));
  return [...vectors].map(([model, vector]) => vectorRetriever(model, vector, size, scope));
}

/** The terms of the server's scores, and what exact scores of the same terms have in common. */
interface Scoring extends Pick<Retriever, 'weights'> {
  readonly weighted: readonly object[];
}

function lexicalRetriever(
  { weighted, weights }: Scoring,
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
    size,
    ...(weights && { weights }),
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
    size,
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
