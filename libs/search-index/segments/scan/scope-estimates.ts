import { type DroppedBitmap, isDropped } from '../../pack/dropped-bitmap.js';
import { ACCEPTED, type Accepts } from './accepted-chunks.js';
import { EstimateCounts } from './estimate-counts.js';
import type { ScanPace, Steps } from './scan-pace.js';
import { type SearchedView, signedVectorsOf, type ViewRange } from './searched-view.js';
import type { SignatureScratch } from './signature-scratch.js';
import { SIGNATURE_GROUP } from './signed-vectors.js';
import { BLOCK_VECTORS } from './vector-blocks.js';

/** Marks a vector that is not in scope. */
const EXCLUDED = -32_768;
/** One of so many estimates is in a sample. */
const SAMPLED = 16;
/** Work of deciding about a chunk whose file is decided, in nanoseconds. */
const UNITS_A_DECISION = 10;

/** Vectors of one range that are worked on together, with their estimates. */
export interface EstimatedBlock {
  readonly range: ViewRange;
  /** The first chunk. */
  readonly first: number;
  readonly own: Int16Array;
}

/** Some vectors of a block, by their places in it. */
export interface BlockPlaces {
  readonly block: EstimatedBlock;
  readonly places: Uint32Array;
}

interface EstimateInput {
  readonly query: Int8Array;
  readonly accepts: Accepts;
  /** True if `accepts` rejects some chunks. */
  readonly isFiltered: boolean;
  readonly pace: ScanPace;
  /** Returns memory for the estimates of so many vectors, which belongs to the search. */
  readonly estimatesFor: (count: number) => Int16Array;
}

/** The estimates of the products of a query with the vectors of a scope. */
export class ScopeEstimates {
  /** Number of the vectors in scope, once the others are excluded. */
  accepted: number;
  private readonly estimates: Int16Array;
  private readonly counts: EstimateCounts;

  constructor(
    private readonly scope: readonly ViewRange[],
    private readonly scratch: SignatureScratch,
    private readonly input: EstimateInput,
  ) {
    this.accepted = scope.reduce((sum, { from, to }) => sum + to - from, 0);
    this.counts = new EstimateCounts(input.query.length);
    this.estimates = input.estimatesFor(scope.reduce((sum, range) => sum + placesOf(range), 0));
  }

  /**
   * Estimates the products and excludes what is not in scope.
   * @param isEach whether all vectors are compared exactly: then all estimates are 0.
   */
  *estimate(isEach: boolean): Steps<void> {
    const { query, pace, isFiltered } = this.input;
    if (this.accepted < this.estimates.length) this.estimates.fill(EXCLUDED);
    for (const { range, first, own } of this.blocks()) {
      const vectors = signedVectorsOf(range.view.segment);
      if (isEach) own.fill(0);
      else own.set(this.scratch.estimate(query, vectors, first, own.length));
      pace.spend((own.length * vectors.dimensions) / 64);
      if (pace.isDue) yield;
      if (!isFiltered && !range.view.dropped) continue;
      for (let at = this.exclude(range.view, own, first, 0); at < own.length;) {
        yield;
        at = this.exclude(range.view, own, first, at);
      }
      for (let at = 0; at < own.length; at += 1) if (own[at] === EXCLUDED) this.accepted -= 1;
    }
  }

  *blocks(): Iterable<EstimatedBlock> {
    let before = 0;
    for (const range of this.scope) {
      for (let first = range.from; first < range.to; first += BLOCK_VECTORS) {
        const size = Math.min(BLOCK_VECTORS, range.to - first);
        const at = before + first - range.from;
        yield { range, first, own: this.estimates.subarray(at, at + size) };
      }
      before += placesOf(range);
    }
  }

  /** Returns a value that about so many estimates reach, as a sample shows. */
  likely(wanted: number): number {
    const { counts, estimates, input } = this;
    counts.clear();
    for (let at = 0; at < estimates.length; at += SAMPLED)
      if (estimates[at] !== EXCLUDED) counts.add(estimates[at] as number);
    input.pace.spend(estimates.length / SAMPLED);
    return counts.reached(Math.ceil(wanted / SAMPLED));
  }

  /**
   * Finds the vectors whose estimate reaches a value.
   * @returns undefined for more than `most`.
   */
  *collect(least: number, most: number): Steps<readonly BlockPlaces[] | undefined> {
    const collected: BlockPlaces[] = [];
    let count = 0;
    for (const found of this.reaching(least)) {
      if (found.places.length > 0) collected.push(found);
      count += found.places.length;
      if (count > most) return undefined;
      if (this.input.pace.isDue) yield;
    }
    return collected;
  }

  /** Finds the vectors whose estimate reaches a value, block by block. */
  *reaching(least: number): Iterable<BlockPlaces> {
    for (const block of this.blocks()) {
      // The search may pause at a block, and others use the memory of the scratch then.
      const places = this.scratch.reaching(block.own, least).slice();
      this.input.pace.spend(block.own.length);
      yield { block, places };
    }
  }

  /**
   * Counts the estimates that reach a value.
   * @returns the counts, which the next call overwrites.
   */
  *count(least: number): Steps<EstimateCounts> {
    this.counts.clear();
    for (const found of this.reaching(least)) {
      this.addCounts(found);
      if (this.input.pace.isDue) yield;
    }
    return this.counts;
  }

  /**
   * Counts the estimates of collected vectors.
   * @returns the counts, which the next call overwrites.
   */
  countOf(collected: readonly BlockPlaces[]): EstimateCounts {
    this.counts.clear();
    for (const found of collected) this.addCounts(found);
    return this.counts;
  }

  private addCounts({ block: { own }, places }: BlockPlaces): void {
    for (let at = 0; at < places.length; at += 1)
      this.counts.add(own[places[at] as number] as number);
  }

  /**
   * Marks chunks that are not in scope, until the time slice is used up: the first decisions of a
   * filter may take long.
   * @returns where to continue.
   */
  private exclude(view: SearchedView, own: Int16Array, first: number, from: number): number {
    const { accepts, isFiltered, pace } = this.input;
    const { dropped } = view;
    const answers = isFiltered ? accepts.decided?.(view.segment) : undefined;
    let at = from;
    if (answers || !isFiltered) {
      if (dropped) excludeDropped(own, first, dropped);
      if (answers) excludeRejected(own, first, answers);
      at = own.length;
    }
    while (at < own.length && !pace.isDue) {
      const chunk = first + at;
      if (isDropped(dropped, chunk) || !accepts(view, chunk)) own[at] = EXCLUDED;
      at += 1;
    }
    pace.spend(UNITS_A_DECISION * (at - from));
    return at;
  }
}

function excludeDropped(own: Int16Array, first: number, dropped: DroppedBitmap): void {
  for (let at = 0; at < own.length; at += 1) if (isDropped(dropped, first + at)) own[at] = EXCLUDED;
}

/** Excludes what a filter rejects, by its answers about all chunks. */
function excludeRejected(own: Int16Array, first: number, answers: Uint8Array): void {
  for (let at = 0; at < own.length; at += 1)
    if (answers[first + at] !== ACCEPTED) own[at] = EXCLUDED;
}

/**
 * Returns the number of estimates that a range has places for. The last ones of its last group stay
 * unused: ranges that begin in the middle of a word are copied slowly.
 */
function placesOf({ from, to }: ViewRange): number {
  return Math.ceil((to - from) / SIGNATURE_GROUP) * SIGNATURE_GROUP;
}
