import type { Tile } from './tile-path.js';
import { TileTree } from './tile-tree.js';
import { type TileContent, TileWriter } from './tile-writer.js';

/**
 * Proves that a tree which it sees leaf by leaf continues a smaller one. It keeps 32 bytes for each
 * leaf past the smaller tree.
 */
export class ConsistencyProver {
  private readonly writer = TileWriter.empty();
  private readonly tiles = new Map<string, Buffer>();

  /** @param from size of the smaller tree. */
  constructor(private readonly from: number) {}

  append(leaf: Buffer): void {
    const full = this.writer.append(leaf);
    if (this.writer.size >= this.from) full.forEach((tile) => this.keep(tile));
  }

  /**
   * Returns the proof for the leaves so far.
   * @throws RangeError if there are fewer than the smaller tree has.
   */
  async proof(): Promise<readonly Buffer[]> {
    this.writer.partials().forEach((tile) => this.keep(tile));
    const tree = new TileTree({ read: (tile) => this.read(tile) }, this.writer.size);
    return tree.consistencyProof(this.from);
  }

  private keep(tile: TileContent): void {
    this.tiles.set(nameOf(tile), tile.hashes);
  }

  private async read(tile: Tile): Promise<Buffer> {
    const hashes = this.tiles.get(nameOf(tile));
    if (!hashes) throw new Error(`tile ${nameOf(tile)} is not part of the proof`);
    return Promise.resolve(hashes);
  }
}

function nameOf({ level, index }: Tile): string {
  return `${level}/${index}`;
}
