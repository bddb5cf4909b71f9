import type { QuantisedVector } from '#retrieval';

import { compileChunkFilter, type ChunkFilter } from '../../chunk-filter.js';
import { lowerBound } from '../../pack/sorted-tables.js';
import type { Candidates } from '../../search-index.port.js';
import { corpusStatistics, QueryTerms } from './query-terms.js';
import { lexicalLeg, vectorLeg, type Scratch } from './legs.js';
import type { SearchedView, ViewRange } from './searched-view.js';
import type { FoundChunk, TopChunks } from './top-chunks.js';
import type { VectorLane } from './vector-lane.js';

/** Query vectors by the model that gave them; never of scale 0. */
export type QueryVectors = ReadonlyMap<string, QuantisedVector>;

/** What the legs look for; it can be posted to another thread. */
export interface PartQuery {
  readonly terms: readonly string[];
  readonly identifiers: readonly string[];
  /** Chunks that each leg finds at most. */
  readonly limit: number;
  readonly filter: ChunkFilter | undefined;
  readonly vectors: QueryVectors;
}

/** What a thread computes with, its own. */
export interface PartTools {
  readonly lane: VectorLane;
  readonly scratch: Scratch;
}

/** The legs, in the order of the columns of {@link FoundPart.scores}. */
export const LEGS = ['terms', 'definitions', 'vectors'] as const;

/**
 * Chunks that some leg found in a part of the scope, in the order of their ids, as columns: they are posted between threads,
 * where an object a chunk would cost more than the search.
 */
export interface FoundPart {
  /** Of the whole corpus, whichever part was searched. */
  readonly statistics: Candidates['statistics'];
  /** The chunk's range, by its place in the part that was searched. */
  readonly views: Uint32Array;
  readonly chunks: Uint32Array;
  /** Cosine with the query vector; 0 where there is none to compare with. */
  readonly cosines: Float64Array;
  /** Weighted frequencies, one a query term for each chunk. */
  readonly frequencies: Uint8Array;
  /** A value a leg for each chunk: what the leg orders by, NaN where it did not find the chunk. */
  readonly scores: Float64Array;
}

/** Runs the legs over ranges of different views, the vectors of each model apart, and completes whatever any of them found. */
export function searchPart(
  scope: readonly ViewRange[],
  corpus: readonly SearchedView[],
  query: PartQuery,
  { lane, scratch }: PartTools,
): FoundPart {
  const { terms, identifiers, limit, vectors } = query;
  const lookup = new QueryTerms(terms);
  const statistics = corpusStatistics(corpus, terms, lookup);
  const accepts = acceptance(query.filter);
  const { byTerms, byDefinition } = lexicalLeg(scope, scratch, { lookup, statistics, limit, identifiers, accepts });
  const found = new FoundChunks(scope);
  found.add(0, byTerms);
  found.add(1, byDefinition);
  const products = dotProductsOf(scope, scratch);
  for (const [vector, ranges] of Map.groupBy(scope, ({ view }) => vectorOf(view, vectors))) {
    if (!vector) continue;
    lane.setQuery(vector.q);
    found.add(2, vectorLeg(ranges, lane, vector, limit, products, accepts));
  }
  const part = found.asPart(statistics, terms.length);
  scope.forEach((range, place) => {
    const rows = found.chunksOf(place);
    fillFrequencies(range, rows, lookup, part);
    const vector = vectorOf(range.view, vectors);
    if (vector) fillCosines(range, rows, vector, products(range), part);
  });
  return part;
}

/** The query vector that a view's chunks are compared with. */
export function vectorOf(view: SearchedView, vectors: QueryVectors): QuantisedVector | undefined {
  const vector = vectors.get(view.embedderId);
  return vector?.q.length === view.segment.dimensions ? vector : undefined;
}

interface Row {
  readonly place: number;
  readonly chunk: number;
  readonly scores: [number, number, number];
  /** In the order of ids. */
  at: number;
}

/** Gathers what the legs found, each chunk once. */
class FoundChunks {
  private readonly places: ReadonlyMap<SearchedView, number>;
  private readonly byPlace: Map<number, Row>[];
  private readonly rows: Row[] = [];

  constructor(private readonly scope: readonly ViewRange[]) {
    this.places = new Map(scope.map(({ view }, place) => [view, place]));
    this.byPlace = scope.map(() => new Map<number, Row>());
  }

  add(leg: 0 | 1 | 2, top: TopChunks): void {
    for (const found of top.found()) this.rowOf(found).scores[leg] = found.score;
  }

  /** The rows of one view, by chunk. */
  chunksOf(place: number): readonly Row[] {
    return [...(this.byPlace[place]?.values() ?? [])].sort((a, b) => a.chunk - b.chunk);
  }

  /** @returns columns whose cosines and frequencies are still to be filled. */
  asPart(statistics: Candidates['statistics'], terms: number): FoundPart {
    const rows = this.rows.sort((a, b) => this.tables(a).compareIds(a.chunk, this.tables(b), b.chunk));
    const scores = new Float64Array(rows.length * LEGS.length);
    rows.forEach((row, at) => {
      row.at = at;
      scores.set(row.scores, at * LEGS.length);
    });
    return {
      statistics,
      views: Uint32Array.from(rows, ({ place }) => place),
      chunks: Uint32Array.from(rows, ({ chunk }) => chunk),
      cosines: new Float64Array(rows.length),
      frequencies: new Uint8Array(rows.length * terms),
      scores,
    };
  }

  private tables({ place }: Row): SearchedView['segment']['tables'] {
    return (this.scope[place] as ViewRange).view.segment.tables;
  }

  private rowOf({ view, chunk }: FoundChunk): Row {
    const place = this.places.get(view) as number;
    const known = this.byPlace[place]?.get(chunk);
    if (known) return known;
    const row: Row = { place, chunk, scores: [NaN, NaN, NaN], at: 0 };
    this.byPlace[place]?.set(chunk, row);
    this.rows.push(row);
    return row;
  }
}

/** Room for the dot products of each range's chunks, which no other range of the scope has. */
function dotProductsOf(scope: readonly ViewRange[], scratch: Scratch): (range: ViewRange) => Int32Array {
  let end = 0;
  const places = new Map<ViewRange, readonly [from: number, to: number]>();
  for (const range of scope) places.set(range, [end, (end += range.to - range.from)]);
  if (scratch.products.length < end) scratch.products = new Int32Array(end);
  return (range) => scratch.products.subarray(...(places.get(range) as [number, number]));
}

/** Finds each chunk's frequencies by search from where the last chunk was found. */
function fillFrequencies(
  range: ViewRange,
  ascending: readonly Row[],
  lookup: QueryTerms,
  { frequencies }: FoundPart,
): void {
  if (ascending.length === 0) return;
  const { postingChunks, postingFrequencies } = range.view.segment.tables;
  const postings = lookup.postingsOf(range);
  postings.forEach(({ from, to }, term) => {
    let place = from;
    for (const { chunk, at } of ascending) {
      place = lowerBound(postingChunks, chunk, place, to);
      if (place < to && postingChunks[place] === chunk) {
        frequencies[at * postings.length + term] = postingFrequencies[place] as number;
      }
    }
  });
}

function fillCosines(
  { view, from }: ViewRange,
  rows: readonly Row[],
  vector: QuantisedVector,
  products: Int32Array,
  { cosines }: FoundPart,
): void {
  const { scales } = view.segment.tables;
  for (const { chunk, at } of rows) {
    cosines[at] = (products[chunk - from] as number) * (scales[chunk] as number) * vector.scale;
  }
}

/** Decides once a path and language of a segment. */
function acceptance(filter: ChunkFilter | undefined): (view: SearchedView, chunk: number) => boolean {
  if (!filter) return () => true;
  const accept = compileChunkFilter(filter);
  const answers = new Map<SearchedView, Map<string, boolean>>();
  return (view, chunk) => {
    const { tables } = view.segment;
    let known = answers.get(view);
    if (!known) answers.set(view, (known = new Map<string, boolean>()));
    const key = tables.fileKey(chunk);
    let answer = known.get(key);
    if (answer === undefined) {
      known.set(key, (answer = accept({ path: tables.path(chunk), language: tables.language(chunk) })));
    }
    return answer;
  };
}
