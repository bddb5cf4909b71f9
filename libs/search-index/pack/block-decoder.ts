import { constants, crc32, createZstdDecompress, zstdDecompressSync } from 'node:zlib';

import { BadSectionsError } from './sections.js';

/** Length and CRC32 of the uncompressed content of a block. */
export interface BlockContent {
  readonly rawLength: number;
  readonly crc: number;
}

/** The part of Node's decompressor that writes into memory of the caller (Node 20 to 24). */
interface Decompressor {
  readonly destroyed: boolean;
  readonly destroy: () => void;
  readonly on: (event: 'error', listener: () => void) => void;
  readonly _handle: {
    readonly writeSync: (
      flush: number,
      from: Uint8Array,
      fromOffset: number,
      fromLength: number,
      to: Uint8Array,
      toOffset: number,
      toLength: number,
    ) => void;
  };
  /** Bytes of output and of input that the last call left. */
  readonly _writeState: Uint32Array;
}

/**
 * Decompresses blocks into memory of the caller. Node's functions create a decoder and memory for
 * each block, which takes half as long again, and all of it becomes garbage. Where Node has no such
 * decoder, and for a block that it does not read, they are used all the same.
 */
export class BlockDecoder {
  private decompressor: Decompressor | undefined;

  /** @param create returns a decompressor of Node; other than by default in tests alone. */
  constructor(private readonly create: () => object = createZstdDecompress) {}

  /**
   * Writes the content of a block to an offset of a memory that has room for it.
   * @throws BadSectionsError if the block is damaged.
   */
  decode(packed: Uint8Array, content: BlockContent, memory: Buffer, at: number): Buffer {
    const { rawLength, crc } = content;
    const raw = memory.subarray(at, at + rawLength);
    if (this.write(packed, raw) && crc32(raw) === crc) return raw;
    decompress(packed, content).copy(raw);
    return raw;
  }

  /** Returns false if the content is not that long, or there is no decoder. */
  private write(packed: Uint8Array, raw: Buffer): boolean {
    const decompressor = this.usable();
    if (!decompressor) return false;
    const { _handle: handle, _writeState: left } = decompressor;
    handle.writeSync(constants.ZSTD_e_end, packed, 0, packed.length, raw, 0, raw.length);
    if (left[0] === 0 && left[1] === 0 && !decompressor.destroyed) return true;
    // The decoder may be within the damaged block.
    decompressor.destroy();
    return false;
  }

  private usable(): Decompressor | undefined {
    if (this.decompressor?.destroyed === false) return this.decompressor;
    const next = this.create() as Partial<Decompressor>;
    const isUsable =
      typeof next._handle?.writeSync === 'function' && next._writeState instanceof Uint32Array;
    this.decompressor = isUsable ? (next as Decompressor) : undefined;
    // A damaged block is reported where it is decoded.
    this.decompressor?.on('error', () => undefined);
    return this.decompressor;
  }
}

/**
 * Decompresses a block into its own memory.
 * @throws BadSectionsError if the block is damaged.
 */
export function decompress(packed: Uint8Array, { rawLength, crc }: BlockContent): Buffer {
  const raw = decompressed(packed, rawLength);
  if (raw.length !== rawLength || crc32(raw) !== crc)
    throw new BadSectionsError('a text block is damaged');
  return raw;
}

function decompressed(packed: Uint8Array, length: number): Buffer {
  try {
    return zstdDecompressSync(packed, {
      maxOutputLength: Math.max(1, length),
      // One buffer, instead of pieces to be joined. With room for one more byte, the decoder is not
      // asked again whether it is at the end.
      chunkSize: Math.max(constants.Z_MIN_CHUNK, length + 1),
    });
  } catch (cause) {
    throw Object.assign(new BadSectionsError('a text block cannot be decompressed'), { cause });
  }
}
