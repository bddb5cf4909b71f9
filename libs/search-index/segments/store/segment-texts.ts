import { BlockReader } from '../../pack/block-reader.js';
import { blockPlace, type TextSpan } from '../../pack/text-blocks.js';

/** More than the number of blocks of a segment. */
const BLOCKS = 2 ** 32;

/** Reads the texts of open segments, which share the memory of the blocks read last. */
export class SegmentTexts {
  private readonly blocks: BlockReader;
  private segments = 0;

  /** @param bytes of decompressed blocks that are kept */
  constructor(bytes: number) {
    this.blocks = new BlockReader(bytes);
  }

  /**
   * Returns the reader of one more segment, which throws BadSectionsError for a damaged block.
   * @param table of its blocks
   * @param fill reads bytes at an offset of its text section into a memory of their length
   */
  readerOf(
    table: Uint32Array,
    fill: (target: Buffer, at: number) => void,
  ): (span: TextSpan) => string {
    const first = (this.segments += 1) * BLOCKS;
    return ([block, offset, length]) => {
      const key = first + block;
      const raw = this.blocks.kept(key) ?? this.blocks.read(key, blockPlace(table, block), fill);
      return raw.toString('utf8', offset, offset + length);
    };
  }
}
