import {
  createSharedMemory,
  MAX_PAGES,
  PAGE_BYTES,
  type SharedMemory,
} from '#retrieval/wasm-functions';

import { SCRATCH_BYTES, SCRATCHES } from '../scan/vector-scratch.js';

/** The scratches are below. */
const HEAP_AT = SCRATCHES * SCRATCH_BYTES;
const ALIGNMENT = 16;
/** One page less than 4 GiB: no vector ends where 32-bit addresses wrap. */
const MAX_BYTES = (MAX_PAGES - 1) * PAGE_BYTES;

/**
 * Vectors of all segments in one memory, which the search threads share. One memory, because each
 * reserves gigabytes of address space and there may be thousands of small segments. Capacity 4 GiB:
 * about 8 million vectors of 512 dimensions.
 */
export class VectorArena {
  readonly memory: SharedMemory = createSharedMemory(HEAP_AT / PAGE_BYTES);
  /** Unused ranges below `end`, ascending and never adjacent. */
  private free: { at: number; bytes: number }[] = [];
  private end = HEAP_AT;

  /**
   * Reserves memory.
   * @throws RangeError if 4 GiB are used up.
   * @returns its address.
   */
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

  /** Returns reserved bytes, not a copy. */
  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length);
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
    if (at + bytes > MAX_BYTES)
      throw new RangeError('the vectors of one process must take at most 4 GiB');
    const missing = at + bytes - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.end = at + bytes;
    return at;
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
