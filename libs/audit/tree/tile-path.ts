/** Hashes of a full tile: a subtree of height 8. */
export const TILE_WIDTH = 256;
/** Highest level that a path may name. */
const MAX_LEVEL = 63;

/**
 * A tile of the tree (C2SP `tlog-tiles`): `width` consecutive hashes, each of 256 to the power of
 * `level` leaves. A tile below 256 hashes is partial.
 */
export interface Tile {
  readonly level: number;
  /** Place among the tiles of the level, from 0. */
  readonly index: number;
  /** From 1 to 256. */
  readonly width: number;
}

/** Returns the path of a tile below `tile/`, such as `0/x001/234` or `1/000.p/17`. */
export function tilePath({ level, index, width }: Tile): string {
  const groups = [];
  for (let rest = index; groups.length === 0 || rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(String(rest % 1_000).padStart(3, '0'));
  const name = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `${level}/${name}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

const PATH =
  /^(?<level>0|[1-9][0-9]?)\/(?<index>(?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/(?<width>[1-9][0-9]{0,2}))?$/;

/** Returns the tile of a path, or null for a text that {@link tilePath} does not return. */
export function parseTilePath(path: string): Tile | null {
  const groups = PATH.exec(path)?.groups;
  if (!groups) return null;
  const tile = {
    level: Number(groups['level']),
    index: Number(groups['index']?.replaceAll(/[x/]/g, '')),
    width: Number(groups['width'] ?? TILE_WIDTH),
  };
  return tile.level <= MAX_LEVEL && tilePath(tile) === path ? tile : null;
}

/** Returns the tile at a place in a tree of `size` leaves, or null if it has none there. */
export function tileAt(level: number, index: number, size: number): Tile | null {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  const width = Math.min(hashes - index * TILE_WIDTH, TILE_WIDTH);
  return width > 0 ? { level, index, width } : null;
}
