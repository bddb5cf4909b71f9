import { BlockDecoder } from './block-decoder.js';
import { BlockMemory } from './block-memory.js';
import type { BlockPlace } from './text-blocks.js';

/** Memory for a compressed block that is kept for the next one. */
const PACKED_BYTES = 64 * 1024;

/**
 * Reads compressed blocks of any number of files. One decoder and one memory serve all of them, so
 * that a block that is read leaves no garbage.
 */
export class BlockReader {
  private readonly blocks: BlockMemory;
  private readonly decoder = new BlockDecoder();
  private readonly packed = Buffer.allocUnsafeSlow(PACKED_BYTES);

  /** @param bytes of decompressed blocks that are kept */
  constructor(bytes: number) {
    this.blocks = new BlockMemory(bytes);
  }

  /** Returns a block that is kept, valid until the next {@link BlockReader.read}. */
  kept(key: number): Buffer | undefined {
    return this.blocks.get(key);
  }

  /**
   * Reads a block and keeps it.
   * @param fill reads the compressed block at an offset into memory of its length
   * @returns its content, which is valid until the next block is read
   * @throws BadSectionsError if the block is damaged; errors of `fill`
   */
  read(
    key: number,
    { at, packedLength, rawLength, crc }: BlockPlace,
    fill: (target: Buffer, at: number) => void,
  ): Buffer {
    const isLong = packedLength > PACKED_BYTES;
    const memory = isLong ? Buffer.allocUnsafe(packedLength) : this.packed;
    const packed = memory.subarray(0, packedLength);
    fill(packed, at);
    return this.blocks.add(key, rawLength, (target, offset) =>
      this.decoder.decode(packed, { rawLength, crc }, target, offset),
    );
  }
}
