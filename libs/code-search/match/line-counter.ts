const LINE_FEED = 10;
const FOUR_LINE_FEEDS = 0x0a0a0a0a;
const LOW_BITS = 0x7f7f7f7f;
const FOUR_ONES = 0x01010101;

/** Counts the lines of a text up to offsets that ascend. */
export class LineCounter {
  /** The bytes in words of four, from an aligned address at or before the first. */
  private readonly words: Int32Array;
  /** Bytes between the first word and the text. */
  private readonly shift: number;

  constructor(
    private readonly bytes: Buffer,
    private line: number,
    private offset: number,
  ) {
    const { buffer, byteOffset, length } = bytes;
    this.shift = byteOffset % 4;
    this.words = new Int32Array(buffer, byteOffset - this.shift, (this.shift + length) >>> 2);
  }

  /** Returns the index of the line that begins at an offset. */
  lineAt(offset: number): number {
    this.line += this.count(this.offset, offset);
    this.offset = offset;
    return this.line;
  }

  /** Returns the number of lines before an offset at which a line or the text ends. */
  linesBefore(offset: number): number {
    const lines = this.lineAt(offset);
    return offset > 0 && this.bytes[offset - 1] !== LINE_FEED ? lines + 1 : lines;
  }

  private count(from: number, until: number): number {
    const { bytes, words, shift } = this;
    let count = 0;
    let at = from;
    for (; at < until && (at + shift) % 4 !== 0; at += 1) count += bytes[at] === LINE_FEED ? 1 : 0;
    for (; at + 4 <= until; at += 4) {
      const word = (words[(at + shift) >>> 2] as number) ^ FOUR_LINE_FEEDS;
      // The highest bit of each byte that is a line feed.
      const found = ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
      count += Math.imul(found >>> 7, FOUR_ONES) >>> 24;
    }
    for (; at < until; at += 1) count += bytes[at] === LINE_FEED ? 1 : 0;
    return count;
  }
}
