import { joinSubtrees } from './compact-range.js';
import { emptyRoot, HASH_BYTES } from './hashing.js';
import { consistencyPath, inclusionPath, type LeafRange } from './proof-paths.js';
import { type Tile, TILE_WIDTH, tileAt, tilePath } from './tile-path.js';
import { subtreeRoot } from './tile-writer.js';

/** Reads the tiles of one tree. */
export interface TileReader {
  /**
   * Returns the hashes of a tile, 32 bytes each: at least `width`, since a partial tile may have
   * grown. Rejects if the tile is missing.
   */
  read(tile: Tile): Promise<Uint8Array>;
}

/** A tile has fewer hashes than its tree needs: records are missing. */
class MissingHashesError extends Error {
  override readonly name = 'MissingHashesError';
}

/** A perfect subtree of 2 to the power of `height` leaves, the `index`-th of that height. */
interface Subtree {
  readonly height: number;
  readonly index: number;
}

const TILE_HEIGHT = 8;

/** Roots and proofs of the tree at one size, computed from tiles. */
export class TileTree {
  constructor(
    private readonly reader: TileReader,
    /** Number of leaves; the tiles may hold more. */
    readonly size: number,
  ) {}

  /** @throws MissingHashesError */
  async root(): Promise<Buffer> {
    if (this.size === 0) return emptyRoot();
    const [root = emptyRoot()] = await this.hashes([{ start: 0, end: this.size }]);
    return root;
  }

  /** Returns the root, or null if hashes are missing. */
  async rootIfComplete(): Promise<Buffer | null> {
    try {
      return await this.root();
    } catch (error) {
      if (error instanceof MissingHashesError) return null;
      throw error;
    }
  }

  /** @throws RangeError for a leaf outside of the tree. */
  async inclusionProof(index: number): Promise<readonly Buffer[]> {
    return this.hashes(inclusionPath(index, this.size));
  }

  /**
   * Returns the proof that the tree of `from` leaves begins this one.
   * @throws RangeError when this tree is smaller.
   */
  async consistencyProof(from: number): Promise<readonly Buffer[]> {
    return this.hashes(consistencyPath(from, this.size));
  }

  /** Returns the root of each range of leaves; every tile is read once. */
  private async hashes(ranges: readonly LeafRange[]): Promise<readonly Buffer[]> {
    const subtrees = ranges.map((range) => perfectSubtrees(range));
    const tiles = new Map<string, Tile>();
    for (const subtree of subtrees.flat()) {
      const tile = this.tileOf(subtree);
      tiles.set(tilePath(tile), tile);
    }
    const read = new Map(
      await Promise.all(
        [...tiles].map(async ([path, tile]) => [path, await this.tileHashes(tile)] as const),
      ),
    );
    return subtrees.map((parts) =>
      joinSubtrees(
        parts.map((part) => hashWithin(part, read.get(tilePath(this.tileOf(part))) ?? [])),
      ),
    );
  }

  private tileOf({ height, index }: Subtree): Tile {
    const level = Math.floor(height / TILE_HEIGHT);
    const perTile = 2 ** (TILE_HEIGHT - (height % TILE_HEIGHT));
    const tile = tileAt(level, Math.floor(index / perTile), this.size);
    if (!tile) throw new RangeError(`a tree of ${this.size} has no subtree ${height}/${index}`);
    return tile;
  }

  /** @throws MissingHashesError when the tile has fewer hashes than a tree of this size. */
  private async tileHashes(tile: Tile): Promise<readonly Buffer[]> {
    const bytes = Buffer.from(await this.reader.read(tile));
    if (bytes.length < tile.width * HASH_BYTES || bytes.length > TILE_WIDTH * HASH_BYTES) {
      throw new MissingHashesError(
        `tile ${tilePath(tile)} must have ${tile.width} hashes (got ${bytes.length} bytes)`,
      );
    }
    return Array.from({ length: tile.width }, (_, at) =>
      bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
    );
  }
}

/** Returns the perfect subtrees of a range that the tree joins: from left to right, falling. */
function perfectSubtrees({ start, end }: LeafRange): readonly Subtree[] {
  const subtrees: Subtree[] = [];
  for (let from = start; from < end;) {
    let height = 0;
    while (2 ** (height + 1) <= end - from) height += 1;
    subtrees.push({ height, index: from / 2 ** height });
    from += 2 ** height;
  }
  return subtrees;
}

/** Returns the hash of a subtree from the hashes of its tile. */
function hashWithin({ height, index }: Subtree, hashes: readonly Buffer[]): Buffer {
  const width = 2 ** (height % TILE_HEIGHT);
  const start = (index * width) % TILE_WIDTH;
  return subtreeRoot(hashes.slice(start, start + width));
}
