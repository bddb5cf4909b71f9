/** A block in the memory. Positions count all bytes that were ever reserved. */
interface KeptBlock {
  readonly position: number;
  readonly content: Buffer;
}

/**
 * The blocks that were decompressed last, in one memory of a fixed size. New blocks overwrite the
 * oldest. A block that is longer than the memory is not kept.
 */
export class BlockMemory {
  private readonly memory: Buffer;
  private readonly blocks = new Map<number, KeptBlock>();
  private end = 0;

  /** @param bytes of the memory. Pages that were never written take no memory of the machine. */
  constructor(bytes: number) {
    this.memory = Buffer.allocUnsafeSlow(bytes);
  }

  /** Returns the content of a block, which is valid until the next {@link BlockMemory.add}. */
  get(key: number): Buffer | undefined {
    return this.blocks.get(key)?.content;
  }

  /**
   * Adds a block.
   * @param write writes its content to an offset of a memory, and returns it there. If it throws,
   * the block is not kept.
   */
  add(key: number, length: number, write: (memory: Buffer, at: number) => Buffer): Buffer {
    const size = this.memory.length;
    if (length > size) return write(Buffer.allocUnsafeSlow(length), 0);
    const room = size - (this.end % size);
    // A block is in one piece.
    const position = length > room ? this.end + room : this.end;
    this.end = position + length;
    for (const [oldest, { position: begin }] of this.blocks) {
      if (begin >= this.end - size) break;
      this.blocks.delete(oldest);
    }
    const content = write(this.memory, position % size);
    this.blocks.set(key, { position, content });
    return content;
  }
}
