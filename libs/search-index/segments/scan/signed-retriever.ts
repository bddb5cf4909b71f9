import type { Steps } from './scan-pace.js';
import { type BlockPlaces, type EstimatedBlock, ScopeEstimates } from './scope-estimates.js';
import { signedVectorsOf, type ViewRange } from './searched-view.js';
import type { SignatureScratch } from './signature-scratch.js';
import { expectedEstimate, largestEstimate } from './signatures.js';
import { TopChunks } from './top-chunks.js';
import type { VectorRetrieverInput } from './vector-retriever.js';

/** Vectors that are all compared exactly: signatures would save less than a millisecond. */
export const MOST_EXACT = 20_000;
/** Vectors that version 2 compares exactly, at least, and one of so many in scope. */
const LEAST_RESCORED = 4_000;
const RESCORED_SHARE = 50;
/** Vectors that are compared first, and in all, ties apart. */
const FIRST_COMPARED = 1_000;
const MOST_COMPARED = 40_000;
/** Standard deviations by which an estimate may be below the expected one. */
const DEVIATIONS = 1.75;
/** Highest estimates that are collected at once: enough for most searches. */
const COLLECTED = 4_000;
/** Version 2 looks at more of a sample's highest than it wants. */
const SAMPLE_MARGIN = 1.25;
/** Above every estimate. */
const NO_END = Infinity;

/** Returns how many of some vectors version 2 compares exactly. */
export function rescored(vectors: number): number {
  if (vectors <= MOST_EXACT) return vectors;
  return Math.max(LEAST_RESCORED, Math.ceil(vectors / RESCORED_SHARE));
}

/** The input of {@link signedRetriever}. */
export interface SignedRetrieverInput extends Omit<VectorRetrieverInput, 'productsOf'> {
  /** True if `accepts` rejects some chunks. */
  readonly isFiltered: boolean;
  /** Version of the retrievers: 1 compares every vector exactly, 2 a share of those in scope. */
  readonly version: number;
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
  return yield* new SignedRetriever(scope, scratch, input).run();
}

class SignedRetriever {
  private readonly top: TopChunks;
  private readonly estimates: ScopeEstimates;
  private readonly lowest: number;

  constructor(
    scope: readonly ViewRange[],
    private readonly scratch: SignatureScratch,
    private readonly input: SignedRetrieverInput,
  ) {
    this.top = new TopChunks(input.limit);
    this.estimates = new ScopeEstimates(scope, scratch, { ...input, query: input.query.q });
    this.lowest = -largestEstimate(input.query.q.length);
  }

  *run(): Steps<TopChunks> {
    const { estimates, input } = this;
    const isEach = input.version === 1 || estimates.accepted <= MOST_EXACT;
    yield* estimates.estimate(isEach);
    if (isEach || estimates.accepted <= MOST_EXACT) yield* this.compare(this.lowest, NO_END);
    else if (input.version === 2) yield* this.compareBest(rescored(estimates.accepted));
    else yield* this.compareAsNeeded();
    return this.top;
  }

  /** Compares so many vectors with the highest estimates, ties included. */
  private *compareBest(wanted: number): Steps<void> {
    const { estimates } = this;
    let counts = yield* estimates.count(estimates.likely(SAMPLE_MARGIN * wanted));
    // The vectors of the sample may be unlike the others.
    if (counts.total < wanted) counts = yield* estimates.count(this.lowest);
    yield* this.compare(counts.reached(wanted), NO_END);
  }

  /**
   * Compares the vectors with the highest estimates, and then those whose estimate is not much
   * below what the lowest of the best scores lets expect.
   */
  private *compareAsNeeded(): Steps<void> {
    const { estimates } = this;
    const likely = estimates.likely(COLLECTED);
    let collected = yield* estimates.collect(likely, MOST_COMPARED);
    const count = sizeOf(collected ?? []);
    // The vectors of the sample may be unlike the others.
    if (count < FIRST_COMPARED) collected = undefined;
    const counts = collected ? estimates.countOf(collected) : yield* estimates.count(this.lowest);
    const first = counts.reached(FIRST_COMPARED);
    yield* this.compare(first, NO_END, collected);
    let least = this.leastNeeded();
    if (least >= first) return;
    if (!collected || least < likely) {
      collected = yield* estimates.collect(least, MOST_COMPARED);
      if (!collected) least = (yield* estimates.count(least)).reached(MOST_COMPARED);
    }
    yield* this.compare(least, first, collected);
  }

  /** Returns the lowest estimate of a vector that may be among the nearest. */
  private leastNeeded(): number {
    const { q } = this.input.query;
    const deviation = this.scratch.deviationOf(q);
    const expected = expectedEstimate(q.length, deviation, this.top.lowest ?? 0);
    return Math.max(this.lowest, Math.ceil(expected - DEVIATIONS * deviation));
  }

  /**
   * Compares vectors by their estimates, and offers them.
   * @param least estimate of them.
   * @param end above their estimates.
   * @param collected vectors with at least these estimates; default: all.
   */
  private *compare(
    least: number,
    end: number,
    collected: Iterable<BlockPlaces> = this.estimates.reaching(least),
  ): Steps<void> {
    for (const { block, places } of collected) {
      this.offer(block, placesWithin(block.own, places, least, end));
      if (this.input.pace.isDue) yield;
    }
  }

  private offer({ range: { view }, first }: EstimatedBlock, wanted: Uint32Array): void {
    const { top } = this;
    const { query, pace } = this.input;
    const vectors = signedVectorsOf(view.segment);
    const products = this.scratch.multiply(query.q, vectors, first, wanted);
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
}

function sizeOf(collected: readonly BlockPlaces[]): number {
  return collected.reduce((sum, { places }) => sum + places.length, 0);
}

/** Returns those of some places whose estimate is at least one value and below another. */
function placesWithin(
  estimates: Int16Array,
  places: Uint32Array,
  least: number,
  end: number,
): Uint32Array {
  const within = new Uint32Array(places.length);
  let count = 0;
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number;
    const estimate = estimates[place] as number;
    if (estimate >= least && estimate < end) within[count++] = place;
  }
  return within.subarray(0, count);
}
