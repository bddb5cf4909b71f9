import { CompactRange, joinSubtrees } from './compact-range.js';
import { HASH_BYTES } from './hashing.js';
import { type Tile, TILE_WIDTH, tileAt } from './tile-path.js';

/** A tile with its hashes, `width` times 32 bytes. */
export interface TileContent extends Tile {
  readonly hashes: Buffer;
}

/** A tile that became full, with the root of the subtree that it spans. */
export interface FullTile extends TileContent {
  readonly root: Buffer;
}

/** The partial tile at the end of one level. */
interface Edge {
  hashes: Buffer[];
  /** Full tiles of the level. */
  full: number;
}

/**
 * Appends leaves and returns the tiles that became full. It holds at most 255 hashes per level; a
 * writer continues from the partial tiles of the last one.
 */
export class TileWriter {
  private readonly edges: Edge[] = [];

  private constructor(private count: number) {}

  static empty(): TileWriter {
    return new TileWriter(0);
  }

  /**
   * Continues a tree.
   * @param partials the partial tiles of that size, as {@link partials} returned them.
   * @throws RangeError when one is missing or does not fit the size.
   */
  static of(size: number, partials: readonly TileContent[]): TileWriter {
    const writer = new TileWriter(size);
    for (let level = 0; TILE_WIDTH ** level <= size; level += 1) {
      const full = Math.floor(size / TILE_WIDTH ** (level + 1));
      const tile = tileAt(level, full, size);
      writer.edges.push({ hashes: tile ? hashesOf(tile, partials) : [], full });
    }
    return writer;
  }

  /** Number of leaves. */
  get size(): number {
    return this.count;
  }

  append(leaf: Buffer): readonly FullTile[] {
    const done: FullTile[] = [];
    let hash = leaf;
    for (let level = 0; ; level += 1) {
      const edge = (this.edges[level] ??= { hashes: [], full: 0 });
      edge.hashes.push(hash);
      if (edge.hashes.length < TILE_WIDTH) break;
      hash = subtreeRoot(edge.hashes);
      const tile = content({ level, index: edge.full, width: TILE_WIDTH }, edge.hashes);
      done.push({ ...tile, root: hash });
      edge.hashes = [];
      edge.full += 1;
    }
    this.count += 1;
    return done;
  }

  /** Returns the partial tiles at this size, the lowest level first. */
  partials(): readonly TileContent[] {
    return this.edges.flatMap(({ hashes, full }, level) =>
      hashes.length > 0 ? [content({ level, index: full, width: hashes.length }, hashes)] : [],
    );
  }

  root(): Buffer {
    return joinSubtrees(this.edges.toReversed().flatMap(({ hashes }) => rangeOf(hashes).nodes));
  }
}

/** Returns the root of a subtree whose leaves are these hashes. */
export function subtreeRoot(hashes: readonly Buffer[]): Buffer {
  return rangeOf(hashes).root();
}

function rangeOf(hashes: readonly Buffer[]): CompactRange {
  const range = CompactRange.empty();
  for (const hash of hashes) range.append(hash);
  return range;
}

function content(tile: Tile, hashes: readonly Buffer[]): TileContent {
  return { ...tile, hashes: Buffer.concat(hashes) };
}

function hashesOf({ level, index, width }: Tile, partials: readonly TileContent[]): Buffer[] {
  const tile = partials.find((partial) => partial.level === level && partial.index === index);
  if (!tile || tile.hashes.length < width * HASH_BYTES)
    throw new RangeError(`tile ${index} of level ${level} must have ${width} hashes`);
  return Array.from({ length: width }, (_, at) =>
    tile.hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}
