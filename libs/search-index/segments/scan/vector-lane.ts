import { PAGE_BYTES, type SharedMemory } from '#retrieval/wasm-functions';

import { BLOCK_VECTORS, blockWidth } from './vector-blocks.js';
import { vectorMathOver, type VectorMath } from './vector-math.js';

/** How many threads may compute in one memory at once, the one that owns it among them. */
export const LANES = 17;
/** A lane begins with the query, in entries of eight dimensions and their eight values; a block's results lie behind it. */
const QUERY_BYTES = 32_768;
const ENTRY = 8;
const ENTRY_NUMBERS = 2 * ENTRY;
const RESULT_BYTES = BLOCK_VECTORS * Uint32Array.BYTES_PER_ELEMENT;
/** Room for the query, a block's products and the indexes of those that are wanted, in whole pages. */
export const LANE_BYTES = Math.ceil((QUERY_BYTES + 2 * RESULT_BYTES) / PAGE_BYTES) * PAGE_BYTES;
/** Single precision rounds: what is left out is below the wanted value without doubt. */
const SLACK = 1 - 1e-6;
/** The least positive value: products of 0 and below are never wanted. */
const POSITIVE = 2 ** -126;

/** The widest vector that can be scanned. */
export const MAX_DIMENSIONS = QUERY_BYTES / (2 * Int16Array.BYTES_PER_ELEMENT);

/** Quantised vectors in a memory, as they are scanned. */
export interface ScannedVectors {
  /** Address of the first of their blocks. */
  readonly at: number;
  /** Address of their scales. */
  readonly scalesAt: number;
  readonly count: number;
  readonly dimensions: number;
}

/** One thread's way to the vectors of a memory, with room of its own for the query and the results. */
export class VectorLane {
  private readonly math: VectorMath;
  private readonly queryAt: number;
  private readonly productsAt: number;
  private readonly indexesAt: number;
  private readonly query: Int16Array;
  private readonly products: Int32Array;
  private readonly indexes: Uint32Array;
  private queryEnd: number;

  /** @param lane below {@link LANES}; no two threads use the same one at once. */
  constructor(memory: SharedMemory, lane: number) {
    if (lane >= LANES) throw new RangeError(`a memory has ${LANES} lanes`);
    this.math = vectorMathOver(memory);
    this.queryAt = lane * LANE_BYTES;
    this.queryEnd = this.queryAt;
    this.productsAt = this.queryAt + QUERY_BYTES;
    this.indexesAt = this.productsAt + RESULT_BYTES;
    this.query = new Int16Array(memory.buffer, this.queryAt, QUERY_BYTES / Int16Array.BYTES_PER_ELEMENT);
    this.products = new Int32Array(memory.buffer, this.productsAt, BLOCK_VECTORS);
    this.indexes = new Uint32Array(memory.buffer, this.indexesAt, BLOCK_VECTORS);
  }

  setQuery(query: Int8Array): void {
    if (query.length > MAX_DIMENSIONS || query.length % 16 !== 0) {
      throw new RangeError(`vectors have at most ${MAX_DIMENSIONS} dimensions, a multiple of 16; got ${query.length}`);
    }
    let count = 0;
    for (let dimension = 0; dimension < query.length; dimension++) {
      const value = query[dimension] as number;
      if (value !== 0) this.setEntry(count++, dimension, value);
    }
    // What an entry lacks is filled up with nothing of the first dimension.
    while (count % ENTRY !== 0) this.setEntry(count++, 0, 0);
    this.queryEnd = this.queryAt + (count / ENTRY) * ENTRY_NUMBERS * Int16Array.BYTES_PER_ELEMENT;
  }

  /**
   * Takes the dot products of the query with some vectors, and offers the vectors that may be wanted: all whose product
   * times scale is positive and reaches a least value, and perhaps some that fall short of it by a millionth.
   *
   * @param products takes them, in the order of the vectors.
   * @param least asked for before each block.
   * @param offer is given the indexes of vectors, ascending.
   */
  scan(
    { at, scalesAt, count, dimensions }: ScannedVectors,
    products: Int32Array,
    least: () => number,
    offer: (index: number) => void,
  ): void {
    if (this.queryEnd === this.queryAt) return void products.fill(0, 0, count);
    for (let first = 0; first < count; first += BLOCK_VECTORS) {
      const size = Math.min(BLOCK_VECTORS, count - first);
      const width = blockWidth(size);
      this.math.dotProducts(this.queryAt, this.queryEnd, at + first * dimensions, width, this.productsAt);
      products.set(this.products.subarray(0, size), first);
      const wanted = Math.max(POSITIVE, SLACK * least());
      const scales = scalesAt + first * Float32Array.BYTES_PER_ELEMENT;
      const end = this.math.atLeast(this.productsAt, scales, width, wanted, this.indexesAt);
      const found = (end - this.indexesAt) / Uint32Array.BYTES_PER_ELEMENT;
      for (let i = 0; i < found; i++) offer(first + (this.indexes[i] as number));
    }
  }

  private setEntry(index: number, dimension: number, value: number): void {
    const at = Math.floor(index / ENTRY) * ENTRY_NUMBERS + (index % ENTRY);
    this.query[at] = dimension;
    this.query[at + ENTRY] = value;
  }
}
