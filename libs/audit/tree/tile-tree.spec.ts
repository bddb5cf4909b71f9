import { describe, expect, it } from '@jest/globals';

import { CompactRange } from './compact-range.js';
import { emptyRoot, leafHash, nodeHash } from './hashing.js';
import { largestPowerBelow } from './proof-paths.js';
import { parseTilePath, tileAt, tilePath } from './tile-path.js';
import { type TileReader, TileTree } from './tile-tree.js';
import { type TileContent, TileWriter } from './tile-writer.js';
import { verifyConsistency, verifyInclusion } from './verify-proof.js';

const LARGEST = 300;
const leaves = Array.from({ length: LARGEST }, (_, index) => leafHash(`leaf ${index}`));

/** MTH of RFC 9162, section 2.1.1, to the letter. */
function naiveRoot(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes;
  if (!only) return emptyRoot();
  if (hashes.length === 1) return only;
  const middle = largestPowerBelow(hashes.length);
  return nodeHash(naiveRoot(hashes.slice(0, middle)), naiveRoot(hashes.slice(middle)));
}

/** PATH of RFC 9162, section 2.1.3.1, to the letter. */
function naiveInclusion(index: number, hashes: readonly Buffer[]): Buffer[] {
  if (hashes.length === 1) return [];
  const middle = largestPowerBelow(hashes.length);
  const [left, right] = [hashes.slice(0, middle), hashes.slice(middle)];
  return index < middle
    ? [...naiveInclusion(index, left), naiveRoot(right)]
    : [...naiveInclusion(index - middle, right), naiveRoot(left)];
}

/** SUBPROOF of RFC 9162, section 2.1.4.1, to the letter. */
function naiveConsistency(from: number, hashes: readonly Buffer[], known = true): Buffer[] {
  if (from === hashes.length) return known ? [] : [naiveRoot(hashes)];
  const middle = largestPowerBelow(hashes.length);
  const [left, right] = [hashes.slice(0, middle), hashes.slice(middle)];
  return from <= middle
    ? [...naiveConsistency(from, left, known), naiveRoot(right)]
    : [...naiveConsistency(from - middle, right, false), naiveRoot(left)];
}

/** Tiles in memory; a partial tile is replaced when it has grown. */
class MemoryTiles implements TileReader {
  readonly tiles = new Map<string, Buffer>();
  reads = 0;

  put(contents: readonly TileContent[]): void {
    for (const { level, index, hashes } of contents) this.tiles.set(`${level}/${index}`, hashes);
  }

  async read({ level, index }: { level: number; index: number }): Promise<Uint8Array> {
    this.reads += 1;
    const hashes = this.tiles.get(`${level}/${index}`);
    return hashes ? Promise.resolve(hashes) : Promise.reject(new Error('no such tile'));
  }
}

function tilesOf(size: number): MemoryTiles {
  const tiles = new MemoryTiles();
  const writer = TileWriter.empty();
  for (let index = 0; index < size; index += 1)
    tiles.put(writer.append(leaves[index % LARGEST] ?? emptyRoot()));
  tiles.put(writer.partials());
  return tiles;
}

describe('a tree in tiles', () => {
  it('has the roots of the definition at every size, also continued after each leaf', () => {
    let writer = TileWriter.empty();
    let range = CompactRange.empty();
    for (const [index, leaf] of leaves.entries()) {
      expect(writer.root()).toEqual(naiveRoot(leaves.slice(0, index)));
      expect(range.root()).toEqual(writer.root());
      writer.append(leaf);
      range.append(leaf);
      writer = TileWriter.of(writer.size, writer.partials());
      range = CompactRange.of(range.size, range.nodes);
    }
  });

  it('has the inclusion proofs of the definition, which verify, at every size', async () => {
    const tiles = tilesOf(LARGEST);
    for (let size = 1; size <= LARGEST; size += 1) {
      const tree = new TileTree(tiles, size);
      const root = await tree.root();
      const known = leaves.slice(0, size);
      for (const index of new Set([0, 1, 127, size >> 1, size - 2, size - 1])) {
        if (index < 0 || index >= size) continue;
        const proof = await tree.inclusionProof(index);
        expect(proof).toEqual(naiveInclusion(index, known));
        const leaf = leaves[index] ?? emptyRoot();
        expect(verifyInclusion({ index, size, leaf, root, proof })).toBe(true);
        expect(verifyInclusion({ index, size, leaf: root, root, proof })).toBe(size === 1);
      }
    }
  });

  it('has the consistency proofs of the definition, which verify, at every size', async () => {
    const tiles = tilesOf(LARGEST);
    for (let to = 0; to <= LARGEST; to += 1) {
      const tree = new TileTree(tiles, to);
      const toRoot = await tree.root();
      for (const from of new Set([0, 1, 2, 64, 255, 256, to >> 1, to - 1, to])) {
        if (from < 0 || from > to) continue;
        const proof = await tree.consistencyProof(from);
        if (from > 0) expect(proof).toEqual(naiveConsistency(from, leaves.slice(0, to)));
        const fromRoot = naiveRoot(leaves.slice(0, from));
        expect(verifyConsistency({ from, to, fromRoot, toRoot, proof })).toBe(true);
        const wrong = naiveRoot(leaves.slice(1, from + 1));
        if (from > 0)
          expect(verifyConsistency({ from, to, fromRoot: wrong, toRoot, proof })).toBe(false);
      }
    }
  });

  it('reads few tiles for a proof in a tree of three levels', async () => {
    const size = 70_000;
    const tiles = tilesOf(size);
    const tree = new TileTree(tiles, size);
    const [index, from] = [12_345, 65_537];
    const [root, proof] = [await tree.root(), await tree.inclusionProof(index)];
    expect(proof).toHaveLength(17);
    const leaf = leaves[index % LARGEST] ?? emptyRoot();
    expect(verifyInclusion({ index, size, leaf, root, proof })).toBe(true);
    const claim = {
      from,
      to: size,
      fromRoot: await new TileTree(tiles, from).root(),
      toRoot: root,
      proof: await tree.consistencyProof(from),
    };
    expect(verifyConsistency(claim)).toBe(true);
    expect(tiles.reads).toBeLessThan(20);
  });

  it('rejects tiles that are too short, and places outside of the tree', async () => {
    const tiles = tilesOf(3);
    tiles.tiles.set('0/0', Buffer.alloc(64));
    await expect(new TileTree(tiles, 3).root()).rejects.toThrow('must have 3 hashes');
    await expect(new TileTree(tiles, 3).inclusionProof(3)).rejects.toThrow(RangeError);
    await expect(new TileTree(tiles, 3).consistencyProof(4)).rejects.toThrow(RangeError);
    expect(() => TileWriter.of(3, [])).toThrow(RangeError);
    expect(() => CompactRange.of(3, [Buffer.alloc(32)])).toThrow(RangeError);
  });
});

describe('paths of tiles', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, '0/000'],
    [{ level: 0, index: 1_234_067, width: 256 }, '0/x001/x234/067'],
    [{ level: 63, index: 1_000, width: 1 }, '63/x001/000.p/1'],
    [{ level: 2, index: 7, width: 255 }, '2/007.p/255'],
  ])('name %j as %s', (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  it.each([
    ['', '0', '0/0', '0/1000', '00/000', '64/000', '0/x000/001', '0/000.p/0', '0/000.p/256'],
    ['0/000.p/01', '0/../000', '-1/000', '0/000/', '/0/000', '0/x001/234.p/999', '0/x1/000'],
  ])('are nothing else: %s …', (...paths) => {
    for (const path of paths) expect(parseTilePath(path)).toBeNull();
  });

  it('have the widths of the standard: the example of 70,000 leaves', () => {
    expect(tileAt(0, 272, 70_000)).toMatchObject({ width: 256 });
    expect(tileAt(0, 273, 70_000)).toMatchObject({ width: 112 });
    expect(tileAt(1, 0, 70_000)).toMatchObject({ width: 256 });
    expect(tileAt(1, 1, 70_000)).toMatchObject({ width: 17 });
    expect(tileAt(2, 0, 70_000)).toMatchObject({ width: 1 });
    expect(tileAt(3, 0, 70_000)).toBeNull();
    expect(tileAt(0, 1, 256)).toBeNull();
  });
});
