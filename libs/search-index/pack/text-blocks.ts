import { constants, crc32, zstdCompressSync } from 'node:zlib';

import { LRUCache } from 'lru-cache';

import { type BlockContent, decompress } from './block-decoder.js';
import { BadSectionsError } from './sections.js';

/**
 * Twice the block size saves a tenth of the space and doubles what a search decompresses for each
 * result.
 */
const BLOCK_BYTES = 16 * 1024;
const LEVEL = 3;
const FIELDS = 4;
const MAX_TEXT_BYTES = 0xffff_ffff;

/** Location of a text: block, offset and length in bytes of the uncompressed block. */
export type TextSpan = readonly [block: number, offset: number, length: number];

/** A written block, and the number of its texts. */
export interface WrittenBlock {
  readonly packed: Uint8Array;
  readonly rawLength: number;
  readonly crc: number;
  readonly texts: number;
}

/**
 * Texts in compressed blocks, with block, offset and length of each, and the table of the blocks.
 */
export interface StoredText {
  readonly spans: Uint32Array;
  readonly table: Uint32Array;
  readonly data: Uint8Array;
}

const SPAN = 3;

/**
 * Returns the block that begins with a text, or undefined if the text does not begin one. The last
 * block is undefined too: its writer had no more texts, so another writer might have continued it.
 */
export function blockFrom(
  { spans, table, data }: StoredText,
  text: number,
): WrittenBlock | undefined {
  const block = spans[text * SPAN] as number;
  const isFirst = text === 0 || spans[(text - 1) * SPAN] !== block;
  if (!isFirst || block === table.length / FIELDS - 1) return undefined;
  let after = text + 1;
  while (spans[after * SPAN] === block) after++;
  const [offset = 0, packedLength = 0, rawLength = 0, crc = 0] = table.subarray(
    block * FIELDS,
    (block + 1) * FIELDS,
  );
  return {
    packed: data.subarray(offset, offset + packedLength),
    rawLength,
    crc,
    texts: after - text,
  };
}

/** Collects texts into compressed blocks of about 16 KiB; a longer text has its own block. */
export class TextBlocksWriter {
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private readonly table: number[] = [];
  private readonly blocks: Uint8Array[] = [];
  private written = 0;

  add(text: Uint8Array): TextSpan {
    if (this.isFull(text.length)) this.flush();
    const span: TextSpan = [this.blocks.length, this.pendingBytes, text.length];
    this.pending.push(text);
    this.pendingBytes += text.length;
    return span;
  }

  /** Reports whether a text of this length would begin a block. */
  begins(length: number): boolean {
    return this.pending.length === 0 || this.isFull(length);
  }

  /**
   * Copies a block unchanged, if its first text {@link begins} one. The text after it must also
   * follow here, because its length is the reason for the end of the block.
   * @returns the number of the block here.
   */
  addBlock({ packed, rawLength, crc }: WrittenBlock): number {
    if (this.pending.length > 0) this.flush();
    this.append(packed, rawLength, crc);
    return this.blocks.length - 1;
  }

  /**
   * @returns the blocks and their table: offset, compressed length, length and CRC32 of the raw
   * bytes, per block.
   */
  finish(): { readonly table: Uint32Array; readonly data: Uint8Array } {
    if (this.pending.length > 0) this.flush();
    return { table: Uint32Array.from(this.table), data: Buffer.concat(this.blocks) };
  }

  private isFull(length: number): boolean {
    return this.pendingBytes > 0 && this.pendingBytes + length > BLOCK_BYTES;
  }

  private flush(): void {
    const raw = Buffer.concat(this.pending);
    const packed = zstdCompressSync(raw, {
      params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
    });
    this.append(packed, raw.length, crc32(raw));
    this.pending = [];
    this.pendingBytes = 0;
  }

  private append(packed: Uint8Array, rawLength: number, crc: number): void {
    if (this.written + packed.length > MAX_TEXT_BYTES)
      throw new RangeError('a pack must have at most 4 GiB of compressed text');
    this.table.push(this.written, packed.length, rawLength, crc);
    this.blocks.push(packed);
    this.written += packed.length;
  }
}

/** The most recently decompressed blocks of {@link TextBlocks}. */
export class TextBlockCache {
  private readonly blocks: LRUCache<number, Uint8Array>;

  /** @param bytes limit of kept blocks. */
  constructor(bytes: number) {
    this.blocks = new LRUCache({
      maxSize: bytes,
      sizeCalculation: (block) => Math.max(1, block.length),
    });
  }

  get(index: number): Uint8Array | undefined {
    return this.blocks.get(index);
  }

  set(index: number, block: Uint8Array): void {
    this.blocks.set(index, withOwnMemory(block));
  }
}

/**
 * Returns the block in memory of its own. Node cuts small buffers from larger ones. A cached block
 * would keep all of such a buffer, so the cache would hold several times its limit.
 */
function withOwnMemory(block: Uint8Array): Uint8Array {
  return block.buffer.byteLength === block.length ? block : Uint8Array.from(block);
}

/** A block in a file or section. */
export interface BlockPlace extends BlockContent {
  readonly at: number;
  readonly packedLength: number;
}

/**
 * Reads and decompresses a block.
 * @param read takes offset and length.
 * @throws BadSectionsError if the block is damaged.
 */
function readBlock(
  { at, packedLength, ...content }: BlockPlace,
  read: (at: number, length: number) => Uint8Array,
): Uint8Array {
  return decompress(read(at, packedLength), content);
}

/**
 * Returns where a block lies in the section.
 * @throws BadSectionsError if there is none.
 */
export function blockPlace(table: Uint32Array, block: number): BlockPlace {
  const first = block * FIELDS;
  if (first >= table.length) throw new BadSectionsError(`there is no text block ${block}`);
  return {
    at: table[first] as number,
    packedLength: table[first + 1] as number,
    rawLength: table[first + 2] as number,
    crc: table[first + 3] as number,
  };
}

const CACHE_BYTES = 512 * 1024;

/**
 * Reads texts, block by block, and caches the last few blocks. A text stays the same while others
 * are read.
 */
export class TextBlocks {
  private readonly cache = new TextBlockCache(CACHE_BYTES);

  /** @param read takes offset and length within the text section. */
  constructor(
    private readonly table: Uint32Array,
    private readonly read: (offset: number, length: number) => Uint8Array,
  ) {}

  /** @throws BadSectionsError if the block is damaged. */
  bytes([block, offset, length]: TextSpan): Uint8Array {
    return this.block(block).subarray(offset, offset + length);
  }

  private block(index: number): Uint8Array {
    const known = this.cache.get(index);
    if (known) return known;
    const raw = readBlock(blockPlace(this.table, index), this.read);
    this.cache.set(index, raw);
    return raw;
  }
}
