import { isDropped } from '../../pack/dropped-bitmap.js';
import type { Steps } from './scan-pace.js';
import { type SearchedView, signedVectorsOf, type ViewRange } from './searched-view.js';
import type { SignatureScratch } from './signature-scratch.js';
import { largestEstimate } from './signatures.js';
import { SIGNATURE_GROUP } from './signed-vectors.js';
import { TopChunks } from './top-chunks.js';
import { BLOCK_VECTORS } from './vector-blocks.js';
import type { VectorRetrieverInput } from './vector-retriever.js';

/** Vectors that are all compared exactly: signatures would save less than a millisecond. */
export const MOST_EXACT = 20_000;
/** Vectors that are compared exactly after a cut, at least, and one of so many in scope. */
const LEAST_RESCORED = 4_000;
const RESCORED_SHARE = 50;
/** One of so many estimates is in a sample, from which more than the wanted ones are taken. */
const SAMPLED = 16;
const SAMPLE_MARGIN = 1.25;
/** Work of deciding about a chunk whose file is decided, in nanoseconds. */
const UNITS_A_DECISION = 10;
/** Marks a vector that is not in scope. */
const EXCLUDED = -32_768;

/** Returns how many of some vectors are compared exactly. */
export function rescored(vectors: number): number {
  if (vectors <= MOST_EXACT) return vectors;
  return Math.max(LEAST_RESCORED, Math.ceil(vectors / RESCORED_SHARE));
}

/** The input of {@link signedRetriever}. */
export interface SignedRetrieverInput extends Omit<VectorRetrieverInput, 'productsOf'> {
  /** True if `accepts` rejects some chunks. */
  readonly isFiltered: boolean;
  /** True: compares every vector exactly, as the first versions did. */
  readonly isExact: boolean;
  /** Returns memory for the estimates of so many vectors, which belongs to the search. */
  readonly estimatesFor: (count: number) => Int16Array;
}

/**
 * Finds the vectors with the highest cosine in two steps. Their signatures give an estimate of each
 * product. Those with the highest estimates, ties included, are compared exactly. Filters and
 * dropped chunks count before this cut. A small scope is compared exactly as a whole. The cut is
 * over the whole scope, so the result does not depend on how content is divided into packs.
 * Cosines of 0 and below are not offered.
 */
export function* signedRetriever(
  scope: readonly ViewRange[],
  scratch: SignatureScratch,
  input: SignedRetrieverInput,
): Steps<TopChunks> {
  const estimates = input.estimatesFor(scope.reduce((sum, range) => sum + placesOf(range), 0));
  const accepted = yield* estimate(scope, scratch, estimates, input);
  const least = yield* leastCompared(estimates, accepted, scratch, input);
  const top = new TopChunks(input.limit);
  for (const { range, first, own } of blocksOf(scope, estimates)) {
    offer(range, first, scratch.reaching(own, least).slice(), scratch, top, input);
    if (input.pace.isDue) yield;
  }
  return top;
}

/** Vectors of one range that are worked on together, with their estimates. */
interface Block {
  readonly range: ViewRange;
  /** The first chunk. */
  readonly first: number;
  readonly own: Int16Array;
}

/**
 * Returns the number of estimates that a range has places for. The last ones of its last group stay
 * unused: ranges that begin in the middle of a word are copied slowly.
 */
function placesOf({ from, to }: ViewRange): number {
  return Math.ceil((to - from) / SIGNATURE_GROUP) * SIGNATURE_GROUP;
}

function* blocksOf(scope: readonly ViewRange[], estimates: Int16Array): Iterable<Block> {
  let before = 0;
  for (const range of scope) {
    for (let first = range.from; first < range.to; first += BLOCK_VECTORS) {
      const size = Math.min(BLOCK_VECTORS, range.to - first);
      const at = before + first - range.from;
      yield { range, first, own: estimates.subarray(at, at + size) };
    }
    before += placesOf(range);
  }
}

/**
 * Estimates the products of a scope, if it is too large to be compared as a whole, and marks what
 * is not in scope.
 * @returns the number of vectors in scope.
 */
function* estimate(
  scope: readonly ViewRange[],
  scratch: SignatureScratch,
  estimates: Int16Array,
  input: SignedRetrieverInput,
): Steps<number> {
  const { query, pace, isExact, isFiltered } = input;
  let accepted = scope.reduce((sum, { from, to }) => sum + to - from, 0);
  const isWhole = isExact || accepted <= MOST_EXACT;
  if (accepted < estimates.length) estimates.fill(EXCLUDED);
  for (const { range, first, own } of blocksOf(scope, estimates)) {
    const vectors = signedVectorsOf(range.view.segment);
    if (isWhole) own.fill(0);
    else own.set(scratch.estimate(query.q, vectors, first, own.length));
    pace.spend((own.length * vectors.dimensions) / 64);
    if (pace.isDue) yield;
    if (!isFiltered && !range.view.dropped) continue;
    for (let at = exclude(range.view, own, first, 0, input); at < own.length;) {
      yield;
      at = exclude(range.view, own, first, at, input);
    }
    for (let at = 0; at < own.length; at += 1) if (own[at] === EXCLUDED) accepted -= 1;
  }
  return accepted;
}

/**
 * Marks chunks that are not in scope, until the time slice is used up: the first decisions of a
 * filter may take long.
 * @returns where to continue.
 */
function exclude(
  view: SearchedView,
  own: Int16Array,
  first: number,
  from: number,
  { accepts, pace }: SignedRetrieverInput,
): number {
  const { dropped } = view;
  let at = from;
  while (at < own.length && !pace.isDue) {
    const chunk = first + at;
    if (isDropped(dropped, chunk) || !accepts(view, chunk)) own[at] = EXCLUDED;
    at += 1;
  }
  pace.spend(UNITS_A_DECISION * (at - from));
  return at;
}

/** Returns the lowest estimate of a vector that is compared exactly. */
function* leastCompared(
  estimates: Int16Array,
  accepted: number,
  scratch: SignatureScratch,
  { query, pace, isExact }: SignedRetrieverInput,
): Steps<number> {
  const largest = largestEstimate(query.q.length);
  const wanted = isExact ? accepted : rescored(accepted);
  if (wanted === accepted) return -largest;
  // A sample shows from which estimate on little more than the wanted ones are counted; where it is
  // not like the rest, all are.
  const counts = new Uint32Array(2 * largest + 1);
  for (let at = 0; at < estimates.length; at += SAMPLED)
    if (estimates[at] !== EXCLUDED) add(counts, estimates[at] as number);
  pace.spend(estimates.length / SAMPLED);
  const likely = reached(counts, Math.ceil((wanted * SAMPLE_MARGIN) / SAMPLED));
  for (const from of [likely, -largest]) {
    counts.fill(0);
    let counted = 0;
    for (let first = 0; first < estimates.length; first += BLOCK_VECTORS) {
      const block = estimates.subarray(first, first + BLOCK_VECTORS);
      const places = scratch.reaching(block, from);
      for (let at = 0; at < places.length; at += 1)
        add(counts, block[places[at] as number] as number);
      counted += places.length;
      pace.spend(BLOCK_VECTORS);
      if (pace.isDue) yield;
    }
    if (counted >= wanted) return reached(counts, wanted);
  }
  return -largest;
}

/** Counts an estimate. @param counts of the values from the lowest to the largest possible one. */
function add(counts: Uint32Array, estimate: number): void {
  const at = estimate + (counts.length >> 1);
  counts[at] = (counts[at] as number) + 1;
}

/** Returns the largest value that at least `wanted` reach, or the lowest one. */
function reached(counts: Uint32Array, wanted: number): number {
  let at = counts.length - 1;
  for (let sum = counts[at] as number; at > 0 && sum < wanted;) sum += counts[(at -= 1)] as number;
  return at - (counts.length >> 1);
}

/**
 * Compares vectors of a range exactly, and offers them.
 * @param wanted places from a chunk on.
 */
function offer(
  { view }: ViewRange,
  first: number,
  wanted: Uint32Array,
  scratch: SignatureScratch,
  top: TopChunks,
  { query, pace }: SignedRetrieverInput,
): void {
  const vectors = signedVectorsOf(view.segment);
  const products = scratch.multiply(query.q, vectors, first, wanted);
  const { scales } = view.segment.tables;
  let { threshold } = top;
  for (let at = 0; at < wanted.length; at += 1) {
    const chunk = first + (wanted[at] as number);
    const score = (products[at] as number) * (scales[chunk] as number) * query.scale;
    if (score <= 0 || score < threshold) continue;
    top.offer(view, chunk, score);
    threshold = top.threshold;
  }
  pace.spend((wanted.length * vectors.dimensions) / 8);
}
