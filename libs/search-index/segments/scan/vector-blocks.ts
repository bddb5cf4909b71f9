/**
 * The layout of a segment's vectors in the arena: in blocks, and in a block dimension after
 * dimension. A query of the built-in model has a value in a quarter of the dimensions, and only
 * their columns are read. A column is long enough for the processor to read ahead, and the sums of
 * a block fit its nearest cache. The last block is as wide as its vectors need, in groups. The
 * scales follow the blocks.
 */
// Not a power of two: columns would share the same few cache lines.
export const BLOCK_VECTORS = 8_064;
const GROUP = 16;

/** Returns the width of a block with some vectors. */
export function blockWidth(vectors: number): number {
  return Math.min(BLOCK_VECTORS, roundedUp(vectors));
}

/** Returns the bytes of the blocks of some vectors. */
export function blockBytes(vectors: number, dimensions: number): number {
  return roundedUp(vectors) * dimensions;
}

/** Returns the bytes of some vectors in the arena. */
export function arenaBytes(vectors: number, dimensions: number): number {
  return blockBytes(vectors, dimensions) + roundedUp(vectors) * Float32Array.BYTES_PER_ELEMENT;
}

/**
 * Converts consecutive vectors into a block.
 * @param rows a whole block's bytes, zero without a vector; aligned to words.
 */
export function toBlock(rows: Uint8Array, dimensions: number): Uint8Array {
  const from = new Int32Array(rows.buffer, rows.byteOffset, rows.length / 4);
  const to = new Int32Array(from.length);
  const vectors = rows.length / dimensions;
  const [rowWords, columnWords] = [dimensions / 4, vectors / 4];
  // Four vectors by four dimensions at a time, as words: single bytes take four times as long.
  for (let row = 0; row < vectors; row += 4) {
    for (let word = 0; word < rowWords; word++) {
      const at = row * rowWords + word;
      const a = from[at] as number;
      const b = from[at + rowWords] as number;
      const c = from[at + 2 * rowWords] as number;
      const d = from[at + 3 * rowWords] as number;
      const column = 4 * word * columnWords + row / 4;
      to[column] = (a & 0xff) | ((b & 0xff) << 8) | ((c & 0xff) << 16) | (d << 24);
      to[column + columnWords] =
        ((a >>> 8) & 0xff) | (b & 0xff00) | ((c & 0xff00) << 8) | ((d & 0xff00) << 16);
      to[column + 2 * columnWords] =
        ((a >>> 16) & 0xff) | ((b >>> 8) & 0xff00) | (c & 0xff0000) | ((d & 0xff0000) << 8);
      to[column + 3 * columnWords] =
        (a >>> 24) | ((b >>> 16) & 0xff00) | ((c >>> 8) & 0xff0000) | (d & 0xff000000);
    }
  }
  return new Uint8Array(to.buffer);
}

function roundedUp(vectors: number): number {
  return Math.ceil(vectors / GROUP) * GROUP;
}
