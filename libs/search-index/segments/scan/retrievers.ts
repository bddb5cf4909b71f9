import type { QuantizedVector } from '#retrieval';
import { BM25_B, BM25_K1, inverseDocumentFrequency } from '#retrieval/ranking/lexical-score';

import { isDropped } from '../../pack/dropped-bitmap.js';
import type { Candidates } from '../../search-index.port.js';
import type { Accepts } from './accepted-chunks.js';
import { BLOCK_POSTINGS, type PostingRange, type QueryTerms } from './query-terms.js';
import type { ScanPace, Steps } from './scan-pace.js';
import { scannedVectors, type SearchedView, type ViewRange } from './searched-view.js';
import { TopChunks } from './top-chunks.js';
import { BLOCK_VECTORS } from './vector-blocks.js';
import type { VectorScratch } from './vector-scratch.js';

/** Work of offering a chunk, in nanoseconds. */
const UNITS_AN_OFFER = 50;
/** Work of a range without any of the terms, in nanoseconds. */
const UNITS_A_RANGE = 20;

/** Memory of one search at a time. */
export interface Scratch {
  /** One score per chunk of one segment; all zero between two segments. */
  scores: Float32Array;
  /** Chunks whose score is not zero. */
  touched: Uint32Array;
  /** Dot products of the query with the vectors of a scope. */
  products: Int32Array;
  /** Estimates of the products of a scope whose vectors have signatures. */
  estimates: Int16Array;
}

export function createScratch(): Scratch {
  return {
    scores: new Float32Array(),
    touched: new Uint32Array(),
    products: new Int32Array(),
    estimates: new Int16Array(),
  };
}

export interface LexicalRetrieverInput {
  readonly lookup: QueryTerms;
  readonly statistics: Candidates['statistics'];
  readonly limit: number;
  readonly accepts: Accepts;
  readonly pace: ScanPace;
}

/**
 * Runs BM25, term at a time, over the scope, and scores the chunks that define one of the
 * identifiers alike. A retriever that does not end leaves scores in the scratch, which cannot be
 * reused then.
 */
export function* lexicalRetriever(
  scope: readonly ViewRange[],
  scratch: Scratch,
  input: LexicalRetrieverInput,
): Steps<{ readonly byTerms: TopChunks; readonly byDefinition: TopChunks }> {
  const { pace, limit, lookup } = input;
  const weights = termWeights(input.statistics);
  const byTerms = new TopChunks(limit);
  const byDefinition = new TopChunks(limit);
  for (const range of scope) {
    const { view } = range;
    pace.spend(UNITS_A_RANGE);
    if (pace.isDue) yield;
    if (lookup.isAbsentFrom(view.segment)) continue;
    grow(scratch, view.segment.tables.chunkCount);
    const touched = yield* accumulate(range, scratch, weights, input);
    for (let at = 0; at < touched;) {
      at = offerTouched(view, scratch, at, Math.min(touched, at + BLOCK_POSTINGS), byTerms, input);
      if (pace.isDue) yield;
    }
    const definers = lookup.definersIn(view.segment);
    for (const chunk of definers.length > 0 ? yield* inRange(range, definers, pace) : []) {
      if (isDropped(view.dropped, chunk) || !input.accepts(view, chunk)) continue;
      byDefinition.offer({ view, chunk, score: scratch.scores[chunk] as number });
      pace.spend(UNITS_AN_OFFER);
      if (pace.isDue) yield;
    }
    for (let i = 0; i < touched; i++) scratch.scores[scratch.touched[i] as number] = 0;
  }
  return { byTerms, byDefinition };
}

/**
 * Offers touched chunks, up to an end or until the time slice is used up.
 * @returns where to continue.
 */
function offerTouched(
  view: SearchedView,
  { scores, touched }: Scratch,
  from: number,
  end: number,
  top: TopChunks,
  { accepts, pace }: LexicalRetrieverInput,
): number {
  let { threshold } = top;
  let at = from;
  while (at < end && !pace.isDue) {
    const chunk = touched[at++] as number;
    const score = scores[chunk] as number;
    if (score < threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) continue;
    top.offer({ view, chunk, score });
    threshold = top.threshold;
  }
  pace.spend(2 * (at - from));
  return at;
}

/** Parameters of BM25 from the statistics, for all ranges of a search. */
interface TermWeights {
  readonly base: number;
  readonly slope: number;
  /** One per term. */
  readonly idfs: readonly number[];
}

function termWeights(statistics: Candidates['statistics']): TermWeights {
  const { chunks, averageLength, documentFrequencies } = statistics;
  return {
    base: BM25_K1 * (1 - BM25_B),
    slope: (BM25_K1 * BM25_B) / (averageLength || 1),
    idfs: documentFrequencies.map((frequency) => inverseDocumentFrequency(chunks, frequency)),
  };
}

/**
 * Adds up the contributions of all terms.
 * @returns the number of touched chunks.
 */
function* accumulate(
  range: ViewRange,
  scratch: Scratch,
  { idfs, base, slope }: TermWeights,
  { lookup, pace }: LexicalRetrieverInput,
): Steps<number> {
  const postings = lookup.postingsOf(range);
  let count = 0;
  for (let term = 0; term < postings.length; term += 1) {
    const { from, to } = postings[term] as PostingRange;
    const idf = idfs[term] as number;
    for (let at = from; at < to; at += BLOCK_POSTINGS) {
      const end = Math.min(to, at + BLOCK_POSTINGS);
      count = addShares(range.view, scratch, { from: at, to: end }, { idf, base, slope }, count);
      pace.spend(3 * (end - at));
      if (pace.isDue) yield;
    }
  }
  return count;
}

/**
 * Adds the contribution of one term for some postings.
 * @returns the number of touched chunks so far.
 */
function addShares(
  { segment }: SearchedView,
  { scores, touched }: Scratch,
  { from, to }: PostingRange,
  { idf, base, slope }: { readonly idf: number; readonly base: number; readonly slope: number },
  before: number,
): number {
  const { postingChunks, postingFrequencies, lengths } = segment.tables;
  let count = before;
  for (let at = from; at < to; at++) {
    const chunk = postingChunks[at] as number;
    const frequency = postingFrequencies[at] as number;
    const score = scores[chunk] as number;
    if (score === 0) touched[count++] = chunk;
    scores[chunk] =
      score + (idf * frequency) / (frequency + base + slope * (lengths[chunk] as number));
  }
  return count;
}

/** Returns the chunks of some lists that a range has, each once. */
function* inRange(
  { from, to }: ViewRange,
  lists: readonly Uint32Array[],
  pace: ScanPace,
): Steps<ReadonlySet<number>> {
  const chunks = new Set<number>();
  for (const list of lists) {
    for (const chunk of list) if (chunk >= from && chunk < to) chunks.add(chunk);
    pace.spend(UNITS_AN_OFFER * (1 + list.length));
    if (pace.isDue) yield;
  }
  return chunks;
}

function grow(scratch: Scratch, chunks: number): void {
  if (scratch.scores.length >= chunks) return;
  scratch.scores = new Float32Array(chunks);
  scratch.touched = new Uint32Array(chunks);
}

export interface VectorRetrieverInput {
  readonly query: QuantizedVector;
  readonly limit: number;
  /** Returns the buffer for the dot products of a range's chunks. */
  readonly productsOf: (range: ViewRange) => Int32Array;
  readonly accepts: Accepts;
  readonly pace: ScanPace;
}

/**
 * Scans the scope's vectors exactly for the highest cosine. Cosines of 0 and below are not offered.
 */
export function* vectorRetriever(
  scope: readonly ViewRange[],
  vectorScratch: VectorScratch,
  input: VectorRetrieverInput,
): Steps<TopChunks> {
  const { query, limit, productsOf, pace } = input;
  const top = new TopChunks(limit);
  for (const range of scope) {
    const vectors = scannedVectors(range.view.segment, range.from, range.to);
    const products = productsOf(range);
    for (let first = 0; first < vectors.count; first += BLOCK_VECTORS) {
      // Another search may have used the scratch memory since.
      vectorScratch.setQuery(query.q);
      let found = vectorScratch.scanBlock(vectors, first, products, top.threshold / query.scale);
      for (;;) {
        const offered = offerFound(range, found, products, top, input);
        if (!pace.isDue) break;
        // The next search uses the same memory.
        found = found.slice(offered);
        yield;
      }
      pace.spend((BLOCK_VECTORS * vectors.dimensions) / 8);
      if (pace.isDue) yield;
    }
  }
  return top;
}

/**
 * Offers found vectors until the time slice is used up.
 * @returns the number of offered vectors.
 */
function offerFound(
  { view, from }: ViewRange,
  found: Uint32Array,
  products: Int32Array,
  top: TopChunks,
  { query, accepts, pace }: VectorRetrieverInput,
): number {
  const { scales } = view.segment.tables;
  let at = 0;
  while (at < found.length && !pace.isDue) {
    const index = found[at++] as number;
    const chunk = from + index;
    const score = (products[index] as number) * (scales[chunk] as number) * query.scale;
    if (score < top.threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) continue;
    top.offer({ view, chunk, score });
  }
  return at;
}
