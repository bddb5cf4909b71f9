import type { QuantisedVector } from '#retrieval';

import { compileChunkFilter, type ChunkFilter } from '../chunk-filter.js';
import type { Candidates } from '../search-index.port.js';
import { corpusStatistics } from './corpus-statistics.js';
import { lexicalLeg } from './lexical-leg.js';
import { QueryTerms } from './query-terms.js';
import type { Scratch } from './scratch.js';
import type { SearchedView } from './searched-view.js';
import type { FoundChunk, TopChunks } from './top-chunks.js';
import type { VectorLane } from './vector-lane.js';
import { vectorLeg } from './vector-leg.js';

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
  /** The chunk's view, by its place in the part that was searched. */
  readonly views: Uint32Array;
  readonly chunks: Uint32Array;
  /** Cosine with the query vector; 0 where there is none to compare with. */
  readonly cosines: Float64Array;
  /** Weighted frequencies, one a query term for each chunk. */
  readonly frequencies: Uint8Array;
  /** A value a leg for each chunk: what the leg orders by, NaN where it did not find the chunk. */
  readonly scores: Float64Array;
}

/** Runs the legs over views, the vectors of each model apart, and completes whatever any of them found. */
export function searchPart(
  scope: readonly SearchedView[],
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
  for (const [vector, views] of Map.groupBy(scope, (view) => vectorOf(view, vectors))) {
    if (!vector) continue;
    lane.setQuery(vector.q);
    found.add(2, vectorLeg(views, lane, vector, limit, products, accepts));
  }
  const part = found.asPart(statistics, terms.length);
  scope.forEach((view, place) => {
    const rows = found.chunksOf(place);
    fillFrequencies(view, rows, lookup, part);
    const vector = vectorOf(view, vectors);
    if (vector) fillCosines(view, rows, vector, products(view), part);
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

  constructor(private readonly scope: readonly SearchedView[]) {
    this.places = new Map(scope.map((view, place) => [view, place]));
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
    return (this.scope[place] as SearchedView).segment.tables;
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

/** Room for the dot products of each view's chunks, which no other view of the scope has. */
function dotProductsOf(scope: readonly SearchedView[], scratch: Scratch): (view: SearchedView) => Int32Array {
  let end = 0;
  const places = new Map<SearchedView, readonly [from: number, to: number]>();
  for (const view of scope) places.set(view, [end, (end += view.segment.tables.chunkCount)]);
  if (scratch.products.length < end) scratch.products = new Int32Array(end);
  return (view) => scratch.products.subarray(...(places.get(view) as [number, number]));
}

/** Finds each chunk's frequencies by search from where the last chunk was found. */
function fillFrequencies(
  view: SearchedView,
  ascending: readonly Row[],
  lookup: QueryTerms,
  { frequencies }: FoundPart,
): void {
  if (ascending.length === 0) return;
  const { postingChunks, postingFrequencies } = view.segment.tables;
  const ranges = lookup.rangesIn(view.segment);
  ranges.forEach(({ from, to }, term) => {
    let low = from;
    for (const { chunk, at } of ascending) {
      let high = to;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((postingChunks[middle] as number) < chunk) low = middle + 1;
        else high = middle;
      }
      if (low < to && postingChunks[low] === chunk) {
        frequencies[at * ranges.length + term] = postingFrequencies[low] as number;
      }
    }
  });
}

function fillCosines(
  { segment }: SearchedView,
  rows: readonly Row[],
  vector: QuantisedVector,
  products: Int32Array,
  { cosines }: FoundPart,
): void {
  const { scales } = segment.tables;
  for (const { chunk, at } of rows) {
    cosines[at] = (products[chunk] as number) * (scales[chunk] as number) * vector.scale;
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
