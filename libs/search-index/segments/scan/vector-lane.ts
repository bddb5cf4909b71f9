import { PAGE_BYTES, type SharedMemory } from '#retrieval/wasm-functions';

import { BLOCK_VECTORS, blockWidth } from './vector-blocks.js';
import { type VectorMath, vectorMathOver } from './vector-math.js';

/** How many threads may compute in one memory at once, the one that owns it among them. */
export const LANES = 17;
/**
 * A lane begins with the query, in entries of eight dimensions and their eight values; a block's
 * results lie behind it.
 */
const QUERY_BYTES = 32_768;
const ENTRY = 8;
const ENTRY_NUMBERS = 2 * ENTRY;
const RESULT_BYTES = BLOCK_VECTORS * Uint32Array.BYTES_PER_ELEMENT;
/**
 * Room for the query, a block's products and the indexes of those that are wanted, in whole pages.
 */
export const LANE_BYTES = Math.ceil((QUERY_BYTES + 2 * RESULT_BYTES) / PAGE_BYTES) * PAGE_BYTES;
/** Single precision rounds: what is left out is below the wanted value without doubt. */
const SLACK = 1 - 1e-6;
/** The least positive value: products of 0 and below are never wanted. */
const POSITIVE = 2 ** -126;

/** The widest vector that can be scanned. */
const MAX_DIMENSIONS = QUERY_BYTES / (2 * Int16Array.BYTES_PER_ELEMENT);

/** Quantised vectors in a memory, as they are scanned. */
export interface ScannedVectors {
  /** Address of the first of their blocks. */
  readonly at: number;
  /** Address of their scales. */
  readonly scalesAt: number;
  readonly count: number;
  readonly dimensions: number;
}

/**
 * One thread's way to the vectors of a memory, with room of its own for the query and the results.
 */
export class VectorLane {
  private readonly math: VectorMath;
  private readonly queryAt: number;
  private readonly productsAt: number;
  private readonly indexesAt: number;
  private readonly query: Int16Array;
  private readonly products: Int32Array;
  private readonly indexes: Uint32Array;
  private queryEnd: number;
  private current: Int8Array | undefined;

  /** @param lane below {@link LANES}; no two threads use the same one at once. */
  constructor(memory: SharedMemory, lane: number) {
    if (lane >= LANES) throw new RangeError(`a memory has ${LANES} lanes`);
    this.math = vectorMathOver(memory);
    this.queryAt = lane * LANE_BYTES;
    this.queryEnd = this.queryAt;
    this.productsAt = this.queryAt + QUERY_BYTES;
    this.indexesAt = this.productsAt + RESULT_BYTES;
    this.query = new Int16Array(
      memory.buffer,
      this.queryAt,
      QUERY_BYTES / Int16Array.BYTES_PER_ELEMENT,
    );
    this.products = new Int32Array(memory.buffer, this.productsAt, BLOCK_VECTORS);
    this.indexes = new Uint32Array(memory.buffer, this.indexesAt, BLOCK_VECTORS);
  }

  /** Sets the query, unless it is the one that was set last. */
  setQuery(query: Int8Array): void {
    if (query === this.current) return;
    if (query.length > MAX_DIMENSIONS || query.length % 16 !== 0) {
      throw new RangeError(
        `vectors have at most ${MAX_DIMENSIONS} dimensions, a multiple of 16; got ${query.length}`,
      );
    }
    let count = 0;
    for (let dimension = 0; dimension < query.length; dimension++) {
      const value = query[dimension] as number;
      if (value !== 0) this.setEntry(count++, dimension, value);
    }
    // What an entry lacks is filled up with nothing of the first dimension.
    while (count % ENTRY !== 0) this.setEntry(count++, 0, 0);
    this.current = query;
    this.queryEnd = this.queryAt + (count / ENTRY) * ENTRY_NUMBERS * Int16Array.BYTES_PER_ELEMENT;
  }

  /**
   * Takes the dot products of the query with a block of vectors, and finds the vectors that may be
   * wanted: all whose product times scale is positive and reaches a least value, and perhaps some
   * that fall short of it by a millionth.
   *
   * @param first vector of the block, a multiple of {@link BLOCK_VECTORS}
   * @param products takes the products, at the places of the vectors
   * @returns indexes of vectors, ascending, in memory that the next call overwrites
   */
  scanBlock(
    { at, scalesAt, count, dimensions }: ScannedVectors,
    first: number,
    products: Int32Array,
    least: number,
  ): Uint32Array {
    const size = Math.min(BLOCK_VECTORS, count - first);
    if (this.queryEnd === this.queryAt) {
      products.fill(0, first, first + size);
      return this.indexes.subarray(0, 0);
    }
    const width = blockWidth(size);
    this.math.dotProducts(
      this.queryAt,
      this.queryEnd,
      at + first * dimensions,
      width,
      this.productsAt,
    );
    products.set(this.products.subarray(0, size), first);
    const wanted = Math.max(POSITIVE, SLACK * least);
    const scales = scalesAt + first * Float32Array.BYTES_PER_ELEMENT;
    const end = this.math.atLeast(this.productsAt, scales, width, wanted, this.indexesAt);
    const found = this.indexes.subarray(0, (end - this.indexesAt) / Uint32Array.BYTES_PER_ELEMENT);
    if (first > 0) for (let i = 0; i < found.length; i++) found[i] = first + (found[i] as number);
    return found;
  }

  private setEntry(index: number, dimension: number, value: number): void {
    const at = Math.floor(index / ENTRY) * ENTRY_NUMBERS + (index % ENTRY);
    this.query[at] = dimension;
    this.query[at + ENTRY] = value;
  }
}
