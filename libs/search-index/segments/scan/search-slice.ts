import type { QuantizedVector } from '#retrieval';

import type { ChunkFilter } from '../../chunk-filter.js';
import { lowerBound } from '../../pack/sorted-tables.js';
import type { Candidates } from '../../search-index.port.js';
import type { AcceptedChunks } from './accepted-chunks.js';
import type { CorpusCache } from './corpus-cache.js';
import { FoundChunks, type FoundEntry } from './found-chunks.js';
import type { FoundSlice } from './found-slice.js';
import { lexicalRetriever } from './lexical-retriever.js';
import { corpusStatistics, QueryTerms } from './query-terms.js';
import type { ScanPace, Steps } from './scan-pace.js';
import type { Scratch } from './scratch.js';
import type { SearchScope } from './search-scope.js';
import {
  hasSignatures,
  type SearchedView,
  signedVectorsOf,
  type ViewRange,
} from './searched-view.js';
import type { SignatureScratch } from './signature-scratch.js';
import { signedRetriever } from './signed-retriever.js';
import { BLOCK_VECTORS } from './vector-blocks.js';
import { vectorRetriever } from './vector-retriever.js';
import type { VectorTools } from './vector-tools.js';
import type { WordDirectories } from './word-directories.js';

/** Query vectors by their model; never of scale 0. */
export type QueryVectors = ReadonlyMap<string, QuantizedVector>;

/** The input of the retrievers; it can be posted to another thread. */
export interface SliceQuery {
  /** The tenant that searches; the searches of a thread take turns by tenant. */
  readonly tenant: string;
  readonly terms: readonly string[];
  readonly identifiers: readonly string[];
  /** Maximum number of chunks per retriever. */
  readonly limit: number;
  readonly filter: ChunkFilter | undefined;
  readonly vectors: QueryVectors;
  /** True: compares every vector exactly; see `CandidateQuery`. */
  readonly isExact: boolean;
  /**
   * Retrievers to run, if another thread runs the others. The one for vectors leaves the statistics
   * empty. Default: all.
   */
  readonly only?: 'words' | 'vectors' | undefined;
}

const NO_STATISTICS: Candidates['statistics'] = {
  chunks: 0,
  averageLength: 0,
  documentFrequencies: [],
};

/**
 * Tools of one search: access to vectors, decisions and words belong to its thread, scratch and
 * pace to the search.
 */
export interface SliceTools {
  readonly vectorTools: VectorTools;
  readonly scratch: Scratch;
  readonly accepted: AcceptedChunks;
  readonly words: {
    readonly directories: WordDirectories;
    readonly corpora: CorpusCache;
  };
  readonly pace: ScanPace;
}

/** Work of finding a term's frequency in a chunk, in nanoseconds. */
const UNITS_A_FREQUENCY = 20;

/**
 * Runs the retrievers over a scope, the vectors of each model separately, and completes every found
 * chunk.
 * @throws SearchBudgetError if the search uses up its processor time.
 */
export function* searchSlice(
  scope: SearchScope,
  corpus: readonly SearchedView[],
  query: SliceQuery,
  { vectorTools, scratch, accepted, words, pace }: SliceTools,
): Steps<FoundSlice> {
  const { terms, identifiers, limit, vectors, only } = query;
  const lookup = new QueryTerms(terms, identifiers, words.directories);
  const accepts = accepted.by(query.filter, pace);
  const found = new FoundChunks(scope);
  let statistics = NO_STATISTICS;
  if (only !== 'vectors') {
    statistics = yield* corpusStatistics(words.corpora.of(corpus), terms, lookup, pace);
    yield* lookup.prepare(scope, pace);
    const input = { lookup, statistics, limit, accepts, pace };
    const { byTerms, byDefinition } = yield* lexicalRetriever(scope, scratch, input);
    found.add(0, byTerms);
    found.add(1, byDefinition);
  }
  const productsOf = dotProductsOf(
    scope.models.flatMap((model) => (model.hasSignatures ? [] : model.ranges)),
    scratch,
  );
  for (const model of only === 'words' ? [] : scope.models) {
    const vector = fitting(vectors.get(model.embedderId), model.dimensions);
    if (!vector) continue;
    const own = { query: vector, limit, accepts, pace };
    const isFiltered = query.filter !== undefined;
    const top = model.hasSignatures
      ? yield* signedRetriever(model.ranges, vectorTools.signed, {
          ...own,
          isFiltered,
          isExact: query.isExact,
          estimatesFor: (count) => estimatesIn(scratch, count),
        })
      : yield* vectorRetriever(model.ranges, vectorTools.blocks, { ...own, productsOf });
    found.add(2, top);
  }
  const slice = found.asSlice(statistics, terms.length);
  for (const index of found.ranges()) {
    const range = scope.ranges[index] as ViewRange;
    const entries = found.entriesOf(index);
    fillFrequencies(range, entries, terms.length, lookup, slice);
    pace.spend(UNITS_A_FREQUENCY * (1 + entries.length * terms.length));
    if (pace.isDue) yield;
    const vector = vectorOf(range.view, vectors);
    if (!vector) continue;
    const products = hasSignatures(range.view.segment)
      ? signedProducts(range, entries, vector, vectorTools.signed)
      : productsIn(range, entries, productsOf(range));
    fillCosines(range, entries, vector, products, slice);
  }
  return slice;
}

/** Returns the query vector to compare with a view's chunks. */
export function vectorOf(view: SearchedView, vectors: QueryVectors): QuantizedVector | undefined {
  return fitting(vectors.get(view.embedderId), view.segment.dimensions);
}

function fitting(
  vector: QuantizedVector | undefined,
  dimensions: number,
): QuantizedVector | undefined {
  return vector?.q.length === dimensions ? vector : undefined;
}

/** Returns memory of a search for so many estimates. */
function estimatesIn(scratch: Scratch, count: number): Int16Array {
  if (scratch.estimates.length < count) scratch.estimates = new Int16Array(count);
  return scratch.estimates.subarray(0, count);
}

/** Returns buffers for the dot products, separate for each range of the scope. */
function dotProductsOf(
  scope: readonly ViewRange[],
  scratch: Scratch,
): (range: ViewRange) => Int32Array {
  let end = 0;
  const bounds = new Map<ViewRange, readonly [from: number, to: number]>();
  for (const range of scope) bounds.set(range, [end, (end += range.to - range.from)]);
  if (scratch.products.length < end) scratch.products = new Int32Array(end);
  return (range) => scratch.products.subarray(...(bounds.get(range) as [number, number]));
}

/** Finds each chunk's frequencies; in its pack by a search from the previous chunk on. */
function fillFrequencies(
  range: ViewRange,
  ascending: readonly FoundEntry[],
  terms: number,
  lookup: QueryTerms,
  { frequencies }: FoundSlice,
): void {
  const listed = lookup.listed(range.view.segment);
  if (listed) {
    for (const { chunk, at } of ascending)
      for (let term = 0; term < terms; term += 1)
        frequencies[at * terms + term] = listed.words.frequencyIn(term, listed.slot, chunk);
    return;
  }
  const { postingChunks, postingFrequencies } = range.view.segment.tables;
  lookup.postingsOf(range).forEach(({ from, to }, term) => {
    let posting = from;
    for (const { chunk, at } of ascending) {
      posting = lowerBound(postingChunks, chunk, posting, to);
      if (posting < to && postingChunks[posting] === chunk) {
        frequencies[at * terms + term] = postingFrequencies[posting] as number;
      }
    }
  });
}

/** Returns the products of chunks, of all that were computed. */
function productsIn(
  { from }: ViewRange,
  entries: readonly FoundEntry[],
  products: Int32Array,
): readonly number[] {
  return entries.map(({ chunk }) => products[chunk - from] as number);
}

/** Computes the products of chunks, which some retriever found. */
function signedProducts(
  { view }: ViewRange,
  entries: readonly FoundEntry[],
  { q }: QuantizedVector,
  scratch: SignatureScratch,
): Int32Array {
  const vectors = signedVectorsOf(view.segment);
  const chunks = Uint32Array.from(entries, ({ chunk }) => chunk);
  const products = new Int32Array(chunks.length);
  for (let first = 0; first < chunks.length; first += BLOCK_VECTORS) {
    const block = chunks.subarray(first, first + BLOCK_VECTORS);
    products.set(scratch.multiply(q, vectors, 0, block), first);
  }
  return products;
}

function fillCosines(
  { view }: ViewRange,
  entries: readonly FoundEntry[],
  vector: QuantizedVector,
  products: ArrayLike<number>,
  { cosines }: FoundSlice,
): void {
  const { scales } = view.segment.tables;
  for (let index = 0; index < entries.length; index += 1) {
    const { chunk, at } = entries[index] as FoundEntry;
    cosines[at] = (products[index] as number) * (scales[chunk] as number) * vector.scale;
  }
}
