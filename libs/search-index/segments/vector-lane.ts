import { dotProductsOver, PAGE_BYTES, type DotProducts, type SharedMemory } from './dot-products.js';

/** How many threads may compute in one memory at once, the one that owns it among them. */
export const LANES = 17;
/** The query is widened to 16 bits once, not for each vector. */
const QUERY_BYTES = 16_384;
/** Dot products of one call: their results fit behind the query into the lane's page. */
const BLOCK = 8_192;

/** The widest vector that can be scanned. */
export const MAX_DIMENSIONS = QUERY_BYTES / Int16Array.BYTES_PER_ELEMENT;

/** One thread's way to the vectors of a memory: a page of its own for the query and the results. */
export class VectorLane {
  private readonly dotProducts: DotProducts;
  private readonly queryAt: number;
  private readonly outAt: number;
  private readonly query: Int16Array;
  private readonly out: Int32Array;

  /** @param lane below {@link LANES}; no two threads use the same one at once. */
  constructor(memory: SharedMemory, lane: number) {
    if (lane >= LANES) throw new RangeError(`a memory has ${LANES} lanes`);
    this.dotProducts = dotProductsOver(memory);
    this.queryAt = lane * PAGE_BYTES;
    this.outAt = this.queryAt + QUERY_BYTES;
    this.query = new Int16Array(memory.buffer, this.queryAt, MAX_DIMENSIONS);
    this.out = new Int32Array(memory.buffer, this.outAt, BLOCK);
  }

  setQuery(query: Int8Array): void {
    if (query.length > MAX_DIMENSIONS || query.length % 16 !== 0) {
      throw new RangeError(`vectors have at most ${MAX_DIMENSIONS} dimensions, a multiple of 16; got ${query.length}`);
    }
    this.query.set(query);
  }

  /** Dot products of the query with `count` vectors from `at` on, in blocks: `visit(first, products)`. */
  scan(at: number, count: number, dimensions: number, visit: (first: number, products: Int32Array) => void): void {
    for (let first = 0; first < count; first += BLOCK) {
      const size = Math.min(BLOCK, count - first);
      this.dotProducts(this.queryAt, at + first * dimensions, size, dimensions, this.outAt);
      visit(first, this.out.subarray(0, size));
    }
  }

  /** The dot product with the vector at an address. */
  one(at: number, dimensions: number): number {
    this.dotProducts(this.queryAt, at, 1, dimensions, this.outAt);
    return this.out[0] as number;
  }
}
