import { PAGE_BYTES, type SharedMemory } from '#retrieval/wasm-functions';

import { BLOCK_VECTORS, blockWidth } from './vector-blocks.js';
import { type VectorMath, vectorMathOver } from './vector-math.js';

/** Maximum number of threads that compute in one memory at once, including its owner. */
export const SCRATCHES = 17;
/**
 * A scratch begins with the query, in entries of eight dimensions and their eight values; a block's
 * results follow.
 */
const QUERY_BYTES = 32_768;
const ENTRY = 8;
const ENTRY_NUMBERS = 2 * ENTRY;
const RESULT_BYTES = BLOCK_VECTORS * Uint32Array.BYTES_PER_ELEMENT;
/** The widest vector with a signature, and its bytes as a query: two a dimension, and tables. */
export const MOST_SIGNED = 1_024;
const SIGNED_QUERY_BYTES = 6 * MOST_SIGNED;
/** Offsets of the parts of a scratch; the results are of one call alone. */
export const SCRATCH_PARTS = {
  products: QUERY_BYTES,
  indexes: QUERY_BYTES + RESULT_BYTES,
  signedQuery: QUERY_BYTES + 2 * RESULT_BYTES,
} as const;
/** Space for the queries, a block's results and the indexes of wanted vectors, in whole pages. */
export const SCRATCH_BYTES =
  Math.ceil((SCRATCH_PARTS.signedQuery + SIGNED_QUERY_BYTES) / PAGE_BYTES) * PAGE_BYTES;
/** Single precision rounds: omitted values are certainly below the wanted value. */
const SLACK = 1 - 1e-6;
/** The smallest positive value: products of 0 and below are never wanted. */
const POSITIVE = 2 ** -126;

/** The widest vector that can be scanned. */
const MAX_DIMENSIONS = QUERY_BYTES / (2 * Int16Array.BYTES_PER_ELEMENT);

/** Quantized vectors in a memory, in the layout for scans. */
export interface ScannedVectors {
  /** Address of the first of their blocks. */
  readonly at: number;
  /** Address of their scales. */
  readonly scalesAt: number;
  readonly count: number;
  readonly dimensions: number;
}

/**
 * One thread's access to the vectors of a memory, with its own space for the query and the results.
 */
export class VectorScratch {
  private readonly math: VectorMath;
  private readonly queryAt: number;
  private readonly productsAt: number;
  private readonly indexesAt: number;
  private readonly query: Int16Array;
  private readonly products: Int32Array;
  private readonly indexes: Uint32Array;
  private queryEnd: number;
  private current: Int8Array | undefined;

  /** @param index below {@link SCRATCHES}; no two threads use the same one at once. */
  constructor(memory: SharedMemory, index: number) {
    if (index >= SCRATCHES) throw new RangeError(`a memory has ${SCRATCHES} scratches`);
    this.math = vectorMathOver(memory);
    this.queryAt = index * SCRATCH_BYTES;
    this.queryEnd = this.queryAt;
    this.productsAt = this.queryAt + SCRATCH_PARTS.products;
    this.indexesAt = this.queryAt + SCRATCH_PARTS.indexes;
    this.query = new Int16Array(
      memory.buffer,
      this.queryAt,
      QUERY_BYTES / Int16Array.BYTES_PER_ELEMENT,
    );
    this.products = new Int32Array(memory.buffer, this.productsAt, BLOCK_VECTORS);
    this.indexes = new Uint32Array(memory.buffer, this.indexesAt, BLOCK_VECTORS);
  }

  /** Sets the query, unless it is already set. */
  setQuery(query: Int8Array): void {
    if (query === this.current) return;
    if (query.length > MAX_DIMENSIONS || query.length % 16 !== 0) {
      throw new RangeError(
        `vectors must have at most ${MAX_DIMENSIONS} dimensions, a multiple of 16 (got ${query.length})`,
      );
    }
    let count = 0;
    for (let dimension = 0; dimension < query.length; dimension++) {
      const value = query[dimension] as number;
      if (value !== 0) this.setEntry(count++, dimension, value);
    }
    // Missing values of an entry are filled with zeros of the first dimension.
    while (count % ENTRY !== 0) this.setEntry(count++, 0, 0);
    this.current = query;
    this.queryEnd = this.queryAt + (count / ENTRY) * ENTRY_NUMBERS * Int16Array.BYTES_PER_ELEMENT;
  }

  /**
   * Computes the dot products of the query with a block of vectors, and finds the vectors that may
   * be wanted. These are all whose product times scale is positive and reaches a minimum, and
   * perhaps some that miss it by a millionth.
   *
   * @param first vector of the block, a multiple of {@link BLOCK_VECTORS}.
   * @param products receives the products, at the indexes of the vectors.
   * @returns indexes of vectors, ascending, in memory that the next call overwrites.
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
