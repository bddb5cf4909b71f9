import type { QuantizedVector } from '#retrieval';

import type { ChunkFilter } from '../../chunk-filter.js';
import type { Candidates } from '../../search-index.port.js';
import type { AcceptedChunks } from './accepted-chunks.js';
import type { CorpusCache } from './corpus-cache.js';
import { FoundChunks } from './found-chunks.js';
import type { FoundSlice } from './found-slice.js';
import { fillCosines, fillFrequencies, productsIn, signedProducts } from './found-values.js';
import { lexicalRetriever } from './lexical-retriever.js';
import { corpusStatistics, QueryTerms } from './query-terms.js';
import type { ScanPace, Steps } from './scan-pace.js';
import type { Scratch } from './scratch.js';
import type { SearchScope } from './search-scope.js';
import { hasSignatures, type SearchedView, type ViewRange } from './searched-view.js';
import { signedRetriever } from './signed-retriever.js';
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
  /** Version of the retrievers; see `CandidateQuery`. */
  readonly version: number;
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
          version: query.version,
          estimatesFor: (count) => estimatesIn(scratch, count),
        })
      : yield* vectorRetriever(model.ranges, vectorTools.blocks, { ...own, productsOf });
    found.add(2, top);
  }
  const { slice, ranges } = found.ordered(statistics, terms.length);
  for (const entries of ranges) {
    const range = scope.ranges[entries.range] as ViewRange;
    fillFrequencies(range, entries, terms.length, lookup, slice);
    pace.spend(UNITS_A_FREQUENCY * (1 + entries.chunks.length * terms.length));
    if (pace.isDue) yield;
    const vector = vectorOf(range.view, vectors);
    if (!vector) continue;
    fillCosines(range, entries, vector, slice, (others) =>
      hasSignatures(range.view.segment)
        ? signedProducts(range, others, vector, vectorTools.signed)
        : productsIn(range, others, productsOf(range)),
    );
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
