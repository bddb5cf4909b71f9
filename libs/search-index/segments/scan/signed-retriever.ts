import { isDropped } from '../../pack/dropped-bitmap.js';
import type { VectorRetrieverInput } from './retrievers.js';
import type { Steps } from './scan-pace.js';
import { type ViewRange } from './searched-view.js';
import { signedVectorsOf } from './searched-view.js';
import type { SignatureScratch } from './signature-scratch.js';
import { largestEstimate } from './signatures.js';
import { TopChunks } from './top-chunks.js';
import { BLOCK_VECTORS } from './vector-blocks.js';

/** Vectors that are all compared exactly: signatures would save less than a millisecond. */
export const MOST_EXACT = 20_000;
/** Vectors that are compared exactly after a cut, at least, and one of so many in scope. */
const LEAST_RESCORED = 4_000;
const RESCORED_SHARE = 50;
/** Marks a vector that is not in scope. */
const EXCLUDED = -32_768;

/** Returns how many of some vectors are compared exactly. */
export function rescored(vectors: number): number {
  if (vectors <= MOST_EXACT) return vectors;
  return Math.max(LEAST_RESCORED, Math.ceil(vectors / RESCORED_SHARE));
}

/** The input of {@link signedRetriever}. */
export interface SignedRetrieverInput extends Omit<VectorRetrieverInput, 'productsOf'> {
  /** True if some chunks may be rejected by a filter. */
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
  const { isExact, limit, estimatesFor } = input;
  const count = scope.reduce((sum, { from, to }) => sum + to - from, 0);
  const estimates = isExact || count <= MOST_EXACT ? undefined : estimatesFor(count);
  const least = estimates ? yield* leastEstimate(scope, scratch, estimates, input) : EXCLUDED;
  const top = new TopChunks(limit);
  let before = 0;
  for (const range of scope) {
    for (let from = range.from; from < range.to; from += BLOCK_VECTORS) {
      const to = Math.min(range.to, from + BLOCK_VECTORS);
      const wanted: number[] = [];
      if (estimates) {
        for (let chunk = from; chunk < to; chunk += 1) {
          const estimate = estimates[before + chunk - range.from] as number;
          if (estimate >= least && estimate !== EXCLUDED) wanted.push(chunk);
        }
      } else {
        for (let chunk = from; chunk < to; chunk += 1)
          if (isInScope(range, chunk, input)) wanted.push(chunk);
      }
      offer(range, wanted, scratch, top, input);
      if (input.pace.isDue) yield;
    }
    before += range.to - range.from;
  }
  return top;
}

/**
 * Estimates the products of a scope.
 * @returns the lowest estimate of a vector that is compared exactly.
 */
function* leastEstimate(
  scope: readonly ViewRange[],
  scratch: SignatureScratch,
  estimates: Int16Array,
  input: SignedRetrieverInput,
): Steps<number> {
  const { query, pace } = input;
  const largest = largestEstimate(query.q.length);
  const counts = new Uint32Array(2 * largest + 1);
  let count = 0;
  let before = 0;
  for (const range of scope) {
    const vectors = signedVectorsOf(range.view.segment);
    for (let from = range.from; from < range.to; from += BLOCK_VECTORS) {
      const size = Math.min(BLOCK_VECTORS, range.to - from);
      const at = before + from - range.from;
      const own = estimates.subarray(at, at + size);
      own.set(scratch.estimate(query.q, vectors, from, size));
      if (input.isFiltered || range.view.dropped) exclude(range, from, own, input);
      for (const estimate of own) {
        if (estimate === EXCLUDED) continue;
        counts[estimate + largest] = (counts[estimate + largest] as number) + 1;
        count += 1;
      }
      pace.spend((BLOCK_VECTORS * vectors.dimensions) / 64);
      if (pace.isDue) yield;
    }
    before += range.to - range.from;
  }
  const wanted = rescored(count);
  let [least, reached] = [largest, 0];
  while (least > -largest && (reached += counts[least + largest] as number) < wanted) least -= 1;
  return least;
}

function exclude(
  range: ViewRange,
  first: number,
  estimates: Int16Array,
  input: SignedRetrieverInput,
): void {
  for (let at = 0; at < estimates.length; at += 1)
    if (!isInScope(range, first + at, input)) estimates[at] = EXCLUDED;
}

function isInScope(
  { view }: ViewRange,
  chunk: number,
  { accepts, isFiltered }: SignedRetrieverInput,
): boolean {
  return !isDropped(view.dropped, chunk) && (!isFiltered || accepts(view, chunk));
}

/** Compares vectors of a range exactly, and offers them. */
function offer(
  { view }: ViewRange,
  wanted: readonly number[],
  scratch: SignatureScratch,
  top: TopChunks,
  { query, pace }: SignedRetrieverInput,
): void {
  const vectors = signedVectorsOf(view.segment);
  const products = scratch.multiply(query.q, vectors, wanted);
  const { scales } = view.segment.tables;
  for (let at = 0; at < wanted.length; at += 1) {
    const chunk = wanted[at] as number;
    const score = (products[at] as number) * (scales[chunk] as number) * query.scale;
    if (score > 0 && score >= top.threshold) top.offer({ view, chunk, score });
  }
  pace.spend((wanted.length * vectors.dimensions) / 8);
}
