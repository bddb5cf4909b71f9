import { dotProductsOver, PAGE_BYTES, type DotProducts, type SharedMemory } from './dot-products.js';
import { BLOCK_VECTORS, blockWidth } from './vector-blocks.js';

/** How many threads may compute in one memory at once, the one that owns it among them. */
export const LANES = 17;
/** The query lies in the lane's page in entries of four dimensions and their four values; the results lie behind it. */
const QUERY_BYTES = 32_768;
const ENTRY = 4;
const ENTRY_NUMBERS = 2 * ENTRY;

/** The widest vector that can be scanned. */
export const MAX_DIMENSIONS = QUERY_BYTES / (2 * Int16Array.BYTES_PER_ELEMENT);

/** One thread's way to the vectors of a memory: a page of its own for the query and the results. */
export class VectorLane {
  private readonly dotProducts: DotProducts;
  private readonly queryAt: number;
  private readonly outAt: number;
  private readonly query: Int16Array;
  private readonly out: Int32Array;
  private queryEnd: number;

  /** @param lane below {@link LANES}; no two threads use the same one at once. */
  constructor(memory: SharedMemory, lane: number) {
    if (lane >= LANES) throw new RangeError(`a memory has ${LANES} lanes`);
    this.dotProducts = dotProductsOver(memory);
    this.queryAt = lane * PAGE_BYTES;
    this.queryEnd = this.queryAt;
    this.outAt = this.queryAt + QUERY_BYTES;
    this.query = new Int16Array(memory.buffer, this.queryAt, QUERY_BYTES / Int16Array.BYTES_PER_ELEMENT);
    this.out = new Int32Array(memory.buffer, this.outAt, BLOCK_VECTORS);
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
   * Dot products of the query with `count` vectors whose blocks begin at an address.
   * @param products takes them, in the order of the vectors.
   */
  scan(at: number, count: number, dimensions: number, products: Int32Array): void {
    if (this.queryEnd === this.queryAt) return void products.fill(0, 0, count);
    for (let first = 0; first < count; first += BLOCK_VECTORS) {
      const size = Math.min(BLOCK_VECTORS, count - first);
      this.dotProducts(this.queryAt, this.queryEnd, at + first * dimensions, blockWidth(size), this.outAt);
      products.set(this.out.subarray(0, size), first);
    }
  }

  private setEntry(index: number, dimension: number, value: number): void {
    const at = Math.floor(index / ENTRY) * ENTRY_NUMBERS + (index % ENTRY);
    this.query[at] = dimension;
    this.query[at + ENTRY] = value;
  }
}
