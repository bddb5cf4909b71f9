/** Longest line that a reader accepts, in bytes; a record has the data of one event. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Cuts chunks of bytes into lines, and buffers at most one incomplete line. */
export class ByteLines {
  private chunks: Uint8Array[] = [];
  private kept = 0;

  /** Bytes after the last line feed. */
  get rest(): number {
    return this.kept;
  }

  /**
   * Returns the lines that a chunk completes, each with its line feed.
   * @throws RangeError for a line above {@link MAX_LINE_BYTES}.
   */
  *push(chunk: Uint8Array): Generator<Buffer> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...this.chunks, chunk.subarray(from, end + 1)]);
      this.chunks = [];
      this.kept = 0;
      from = end + 1;
      requireLength(line.length);
      yield line;
    }
    if (from === chunk.length) return;
    this.chunks.push(Buffer.from(chunk.subarray(from)));
    this.kept += chunk.length - from;
    requireLength(this.kept);
  }
}

function requireLength(bytes: number): void {
  if (bytes > MAX_LINE_BYTES)
    throw new RangeError(`a line must have at most ${MAX_LINE_BYTES} bytes`);
}
