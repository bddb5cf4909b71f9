/** Memory that is kept between rankings, at most. */
const MAX_KEPT_BYTES = 1_048_576;
const ALIGNMENT = 8;

/**
 * Memory for the columns of one ranking. A buffer for each of some thirty columns would take a
 * twentieth of its processor time. Columns have arbitrary values at first, and are valid until the
 * next `clear`.
 */
export class ColumnMemory {
  private buffer: ArrayBuffer;
  private end = 0;

  /** @param bytes to begin with; it grows as needed */
  constructor(bytes: number) {
    this.buffer = new ArrayBuffer(bytes);
  }

  /** Reuses the memory of all columns. */
  clear(): void {
    this.end = 0;
    if (this.buffer.byteLength > MAX_KEPT_BYTES) this.buffer = new ArrayBuffer(MAX_KEPT_BYTES);
  }

  /** Returns a column of 64-bit numbers. */
  floats(count: number): Float64Array {
    const from = this.reserve(count * 8);
    return new Float64Array(this.buffer, from, count);
  }

  /** Returns a column of whole numbers below 2³². */
  numbers(count: number): Uint32Array {
    const from = this.reserve(count * 4);
    return new Uint32Array(this.buffer, from, count);
  }

  /** Returns a column of bytes. */
  bytes(count: number): Uint8Array {
    const from = this.reserve(count);
    return new Uint8Array(this.buffer, from, count);
  }

  /** Returns where so many bytes begin. Columns before stay in the buffer that they have. */
  private reserve(bytes: number): number {
    const from = Math.ceil(this.end / ALIGNMENT) * ALIGNMENT;
    if (from + bytes <= this.buffer.byteLength) {
      this.end = from + bytes;
      return from;
    }
    this.buffer = new ArrayBuffer(Math.max(2 * this.buffer.byteLength, bytes));
    this.end = bytes;
    return 0;
  }
}
