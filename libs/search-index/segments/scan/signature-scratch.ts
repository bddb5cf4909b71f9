import type { SharedMemory } from '#retrieval/wasm-functions';

import { type SignatureMath, signatureMathOver } from './signature-math.js';
import { deviationOf, estimateTables, liftTables, signatureBytes } from './signatures.js';
import { SIGNATURE_GROUP, type SignedVectors } from './signed-vectors.js';
import { BLOCK_VECTORS } from './vector-blocks.js';
import { MOST_SIGNED, SCRATCH_BYTES, SCRATCH_PARTS } from './vector-scratch.js';

/** Less than every estimate that is looked for. */
const BELOW_ALL = -32_768;
/** Dimensions whose products a kernel computes at once. */
const LANES = 16;

/**
 * One thread's access to vectors with signatures. It shares the scratch of the thread's
 * `VectorScratch`: results are of one call, and each has its own place for the query.
 */
export class SignatureScratch {
  private readonly math: SignatureMath;
  private readonly queryAt: number;
  private readonly tablesAt: number;
  private readonly indexesAt: number;
  private readonly resultsAt: number;
  private readonly query: Uint8Array;
  private readonly tables: Uint8Array;
  private readonly indexes: Uint32Array;
  private readonly products: Int32Array;
  private readonly estimated: Int16Array;
  private current: Int8Array | undefined;
  private lift = 0;
  private deviation = 0;

  /** @param index of the thread's scratch; see `VectorScratch`. */
  constructor(memory: SharedMemory, index: number) {
    const { buffer } = memory;
    this.math = signatureMathOver(memory);
    const at = index * SCRATCH_BYTES;
    this.queryAt = at + SCRATCH_PARTS.signedQuery;
    this.tablesAt = this.queryAt + 2 * MOST_SIGNED;
    this.resultsAt = at + SCRATCH_PARTS.products;
    this.indexesAt = at + SCRATCH_PARTS.indexes;
    this.query = new Uint8Array(buffer, this.queryAt, 2 * MOST_SIGNED);
    this.tables = new Uint8Array(buffer, this.tablesAt, 4 * MOST_SIGNED);
    this.indexes = new Uint32Array(buffer, this.indexesAt, BLOCK_VECTORS);
    this.products = new Int32Array(buffer, this.resultsAt, BLOCK_VECTORS);
    this.estimated = new Int16Array(buffer, this.resultsAt, BLOCK_VECTORS);
  }

  /**
   * Estimates the products of a query with some vectors by their signatures.
   * @param first vector, a multiple of `SIGNATURE_GROUP`.
   * @param count of vectors, at most `BLOCK_VECTORS`.
   * @returns the estimates, in memory that the next call overwrites.
   */
  estimate(query: Int8Array, vectors: SignedVectors, first: number, count: number): Int16Array {
    this.setQuery(query);
    const bytes = signatureBytes(vectors.dimensions);
    const from = vectors.signaturesAt + first * bytes;
    const to = from + Math.ceil(count / SIGNATURE_GROUP) * SIGNATURE_GROUP * bytes;
    const tablesEnd = this.tablesAt + 4 * vectors.dimensions;
    this.math.estimates(this.tablesAt, tablesEnd, from, to, this.resultsAt, this.lift);
    return this.estimated.subarray(0, count);
  }

  /**
   * Finds the estimates that reach a value.
   * @param estimates at most `BLOCK_VECTORS`.
   * @returns their places, ascending, in memory that the next call overwrites.
   */
  reaching(estimates: Int16Array, least: number): Uint32Array {
    const { length } = estimates;
    const end = Math.ceil(length / SIGNATURE_GROUP) * SIGNATURE_GROUP;
    this.estimated.set(estimates);
    this.estimated.fill(BELOW_ALL, length, end);
    const bytes = end * Int16Array.BYTES_PER_ELEMENT;
    const foundEnd =
      end === 0
        ? this.indexesAt
        : this.math.reaching(this.resultsAt, this.resultsAt + bytes, least, this.indexesAt);
    return this.indexes.subarray(0, (foundEnd - this.indexesAt) / Uint32Array.BYTES_PER_ELEMENT);
  }

  /**
   * Computes the products of a query with some vectors exactly.
   * @param first vector, from which the wanted ones are counted.
   * @param wanted places of vectors, at most `BLOCK_VECTORS`.
   * @returns the products in their order, in memory that the next call overwrites.
   */
  multiply(
    query: Int8Array,
    vectors: SignedVectors,
    first: number,
    wanted: ArrayLike<number>,
  ): Int32Array {
    if (wanted.length === 0) return this.products.subarray(0, 0);
    this.setQuery(query);
    this.indexes.set(wanted);
    this.math.rowProducts(
      this.queryAt,
      this.queryAt + 2 * vectors.dimensions,
      vectors.rowsAt + first * vectors.dimensions,
      this.indexesAt,
      this.indexesAt + Uint32Array.BYTES_PER_ELEMENT * wanted.length,
      this.resultsAt,
    );
    return this.products.subarray(0, wanted.length);
  }

  /** Returns the standard deviation of the estimates of random signatures. */
  deviationOf(query: Int8Array): number {
    this.setQuery(query);
    return this.deviation;
  }

  private setQuery(query: Int8Array): void {
    if (query === this.current) return;
    if (query.length > MOST_SIGNED)
      throw new RangeError(`vectors with signatures must have at most ${MOST_SIGNED} dimensions`);
    setSigned(this.query, query);
    const tables = estimateTables(query);
    this.lift = liftTables(tables, this.tables);
    this.deviation = deviationOf(tables);
    this.current = query;
  }
}

/** Writes the positive values of each 16 dimensions, and then the sizes of the negative ones. */
function setSigned(target: Uint8Array, query: Int8Array): void {
  for (let dimension = 0; dimension < query.length; dimension += 1) {
    const value = query[dimension] as number;
    const at = 2 * dimension - (dimension % LANES);
    target[at] = Math.max(value, 0);
    target[at + LANES] = Math.max(-value, 0);
  }
}
