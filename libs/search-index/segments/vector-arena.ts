import { instantiateDotProducts, type DotProductsModule } from './dot-products.js';

const PAGE = 65_536;
const QUERY_AT = 0;
/** The query is widened to 16 bits once, not for each vector. */
const QUERY_BYTES = 16_384;
const OUT_AT = QUERY_AT + QUERY_BYTES;
/** Dot products of one call: their results fit below the heap. */
const BLOCK = 8_192;
const HEAP_AT = PAGE;
const ALIGNMENT = 16;
/** One page less than 4 GiB: no vector ends where 32-bit addresses wrap. */
const MAX_BYTES = 65_535 * PAGE;

/** The widest vector that the arena scans. */
export const MAX_DIMENSIONS = QUERY_BYTES / Int16Array.BYTES_PER_ELEMENT;

/**
 * Vectors of all segments in one WebAssembly memory. One memory, because each reserves gigabytes of address space and
 * there may be thousands of small segments. Holds 4 GiB: about 8 million vectors of 512 dimensions.
 */
export class VectorArena {
  private readonly module: DotProductsModule = instantiateDotProducts();
  /** Unused ranges below `end`, ascending and never adjacent. */
  private free: { at: number; bytes: number }[] = [];
  private end = HEAP_AT;
  /** The results of one call; made anew when the memory has grown and its buffer was replaced. */
  private out = new Int32Array(this.module.memory.buffer, OUT_AT, BLOCK);

  /** Reserves room. @throws RangeError when 4 GiB are used up. @returns its address. */
  reserve(bytes: number): number {
    return this.allocate(align(bytes));
  }

  release(at: number, bytes: number): void {
    const range = { at, bytes: align(bytes) };
    const next = this.free.findIndex((other) => other.at > at);
    this.free.splice(next === -1 ? this.free.length : next, 0, range);
    const merged: typeof this.free = [];
    for (const current of this.free) {
      const last = merged.at(-1);
      if (last && last.at + last.bytes === current.at) last.bytes += current.bytes;
      else merged.push({ ...current });
    }
    const last = merged.at(-1);
    if (last && last.at + last.bytes === this.end) this.end = (merged.pop() as typeof last).at;
    this.free = merged;
  }

  /** A view of reserved bytes; valid until the next `reserve`. */
  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.module.memory.buffer, at, length);
  }

  setQuery(query: Int8Array): void {
    if (query.length > MAX_DIMENSIONS || query.length % 16 !== 0) {
      throw new RangeError(`vectors have at most ${MAX_DIMENSIONS} dimensions, a multiple of 16; got ${query.length}`);
    }
    new Int16Array(this.module.memory.buffer, QUERY_AT, query.length).set(query);
  }

  /** Dot products of the query with `count` vectors from `at` on, in blocks: `visit(first, products)`. */
  scan(at: number, count: number, dimensions: number, visit: (first: number, products: Int32Array) => void): void {
    for (let first = 0; first < count; first += BLOCK) {
      const size = Math.min(BLOCK, count - first);
      this.module.dotProducts(QUERY_AT, at + first * dimensions, size, dimensions, OUT_AT);
      visit(first, this.products().subarray(0, size));
    }
  }

  /** The dot product with the vector at an address. */
  one(at: number, dimensions: number): number {
    this.module.dotProducts(QUERY_AT, at, 1, dimensions, OUT_AT);
    return this.products()[0] as number;
  }

  private products(): Int32Array {
    const { buffer } = this.module.memory;
    if (this.out.buffer !== buffer) this.out = new Int32Array(buffer, OUT_AT, BLOCK);
    return this.out;
  }

  private allocate(bytes: number): number {
    const index = this.free.findIndex((range) => range.bytes >= bytes);
    const range = this.free[index];
    if (range) {
      const { at } = range;
      if (range.bytes === bytes) this.free.splice(index, 1);
      else this.free[index] = { at: at + bytes, bytes: range.bytes - bytes };
      return at;
    }
    const at = this.end;
    if (at + bytes > MAX_BYTES) throw new RangeError('the vectors of one process may take at most 4 GiB');
    const missing = at + bytes - this.module.memory.buffer.byteLength;
    if (missing > 0) this.module.memory.grow(Math.ceil(missing / PAGE));
    this.end = at + bytes;
    return at;
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
