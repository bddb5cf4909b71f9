import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { arenaBytes, BLOCK_VECTORS, blockBytes, toBlock } from '../scan/vector-blocks.js';
import { type ScannedVectors, VectorScratch } from '../scan/vector-scratch.js';
import { VectorArena } from './vector-arena.js';

/** Writes vectors like a segment does, of scale 1 by default. */
function placeVectors(
  arena: VectorArena,
  vectors: Int8Array,
  dimensions: number,
  scales = new Float32Array(vectors.length / dimensions).fill(1),
): ScannedVectors {
  const count = vectors.length / dimensions;
  const at = arena.reserve(arenaBytes(count, dimensions));
  for (let first = 0; first < count; first += BLOCK_VECTORS) {
    const rows = new Uint8Array(blockBytes(Math.min(BLOCK_VECTORS, count - first), dimensions));
    rows.set(
      new Uint8Array(vectors.buffer).subarray(
        first * dimensions,
        (first + BLOCK_VECTORS) * dimensions,
      ),
    );
    arena.bytes(at + first * dimensions, rows.length).set(toBlock(rows, dimensions));
  }
  const scalesAt = at + blockBytes(count, dimensions);
  arena.bytes(scalesAt, scales.byteLength).set(new Uint8Array(scales.buffer));
  return { at, scalesAt, count, dimensions };
}

function place(arena: VectorArena, values: Int8Array): number {
  const at = arena.reserve(values.length);
  arena.bytes(at, values.length).set(new Uint8Array(values.buffer));
  return at;
}

function scan(
  vectorScratch: VectorScratch,
  vectors: ScannedVectors,
  least = 0,
): { products: number[]; offered: number[] } {
  const products = new Int32Array(vectors.count).fill(-1);
  const offered: number[] = [];
  for (let first = 0; first < vectors.count; first += BLOCK_VECTORS) {
    offered.push(...vectorScratch.scanBlock(vectors, first, products, least));
  }
  return { products: [...products], offered };
}

function products(vectorScratch: VectorScratch, vectors: ScannedVectors): number[] {
  return scan(vectorScratch, vectors).products;
}

describe('the vector arena', () => {
  it('computes bit for bit the same as the scalar function', () => {
    const byte = fc.integer({ min: -128, max: 127 });
    // A query of the built-in model leaves out most dimensions.
    const sparse = fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: byte },
    );
    const shapes = fc.tuple(
      fc.constantFrom(16, 32, 48),
      fc.constantFrom(1, 5, 15, 16, 17, 33, 100),
    );
    const arena = new VectorArena();
    const vectorScratch = new VectorScratch(arena.memory, 1);
    fc.assert(
      fc.property(
        shapes.chain(([d, n]) =>
          fc.tuple(
            fc.constant(d),
            fc.constant(n),
            fc.oneof(
              fc.array(byte, { minLength: d, maxLength: d }),
              fc.array(sparse, { minLength: d, maxLength: d }),
            ),
            fc.array(byte, { minLength: d * n, maxLength: d * n }),
          ),
        ),
        ([dimensions, count, query, vectors]) => {
          const [q, v] = [Int8Array.from(query), Int8Array.from(vectors)];
          const placed = placeVectors(arena, v, dimensions);
          vectorScratch.setQuery(q);
          const expected = Array.from({ length: count }, (_, i) =>
            scalarDotProduct(q, v.subarray(i * dimensions, (i + 1) * dimensions)),
          );
          expect(products(vectorScratch, placed)).toEqual(expected);
          arena.release(placed.at, arenaBytes(count, dimensions));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('does not overflow with the largest values', () => {
    const arena = new VectorArena();
    const vectorScratch = new VectorScratch(arena.memory, 0);
    const extreme = new Int8Array(8192).fill(-128);
    vectorScratch.setQuery(extreme);
    expect(products(vectorScratch, placeVectors(arena, extreme, 8192))).toEqual([8192 * 128 * 128]);
  });

  it('scans more vectors than one block holds', () => {
    const arena = new VectorArena();
    const vectorScratch = new VectorScratch(arena.memory, 16);
    const count = 20_000;
    const vectors = Int8Array.from({ length: count * 16 }, (_, i) =>
      i % 16 === 0 ? (i / 16) % 100 : 0,
    );
    const placed = placeVectors(arena, vectors, 16);
    vectorScratch.setQuery(Int8Array.from({ length: 16 }, () => 1));
    expect(products(vectorScratch, placed)).toEqual(
      Array.from({ length: count }, (_, i) => i % 100),
    );
  });

  it('offers all vectors that reach the wanted value, only positive ones, and none far below', () => {
    const arena = new VectorArena();
    const vectorScratch = new VectorScratch(arena.memory, 3);
    const count = 20_003;
    // Products from -10 to 10, and scales from 0.001 to 0.05.
    const product = (i: number): number => ((i * 7) % 21) - 10;
    const scales = Float32Array.from({ length: count }, (_, i) => (1 + ((i * 31) % 50)) / 1000);
    const vectors = Int8Array.from({ length: count * 16 }, (_, i) =>
      i % 16 === 3 ? product(Math.floor(i / 16)) : 0,
    );
    const placed = placeVectors(arena, vectors, 16, scales);
    vectorScratch.setQuery(new Int8Array(16).fill(1));
    const reaching = (least: number): number[] =>
      [...scales.keys()].filter((i) => {
        const value = product(i) * (scales[i] as number);
        return value > 0 && value >= least;
      });
    for (const least of [-Infinity, 0, 0.1, 0.1234, 0.4999, 0.5]) {
      const { offered } = scan(vectorScratch, placed, least);
      expect(offered).toEqual(reaching(least * (1 - 1e-5)));
      const found = new Set(offered);
      expect(reaching(least).filter((i) => !found.has(i))).toEqual([]);
    }
    expect(scan(vectorScratch, placed, 0.6).offered).toEqual([]);
  });

  it('finds in each block what is wanted at that time', () => {
    const arena = new VectorArena();
    const vectorScratch = new VectorScratch(arena.memory, 0);
    const count = 2 * BLOCK_VECTORS + 1;
    const vectors = Int8Array.from({ length: count * 16 }, (_, i) => (i % 16 === 0 ? 1 : 0));
    const placed = placeVectors(arena, vectors, 16);
    vectorScratch.setQuery(new Int8Array(16).fill(1));
    const products = new Int32Array(count);
    const found = [1, 2, 0].map((least, block) => [
      ...vectorScratch.scanBlock(placed, block * BLOCK_VECTORS, products, least),
    ]);
    expect(found).toEqual([[...Array(BLOCK_VECTORS).keys()], [], [count - 1]]);
    expect(products.every((product) => product === 1)).toBe(true);
  });

  it('keeps reserved ranges apart and reuses released ones', () => {
    const arena = new VectorArena();
    const size = 100_000;
    const places = [1, 2, 3, 4].map((value) => place(arena, new Int8Array(size).fill(value)));
    const [first, second, third] = places as [number, number, number, number];
    arena.release(second, size);
    arena.release(first, size);
    expect(place(arena, new Int8Array(size * 2).fill(9))).toBe(first);
    expect(arena.bytes(third, size).every((value) => value === 3)).toBe(true);
  });

  it('lets each scratch compute with its own query', () => {
    const arena = new VectorArena();
    const [one, other] = [new VectorScratch(arena.memory, 0), new VectorScratch(arena.memory, 1)];
    const placed = placeVectors(arena, new Int8Array(16).fill(2), 16);
    one.setQuery(new Int8Array(16).fill(1));
    other.setQuery(new Int8Array(16).fill(3));
    expect([products(one, placed), products(other, placed)]).toEqual([[32], [96]]);
    expect(() => new VectorScratch(arena.memory, 17)).toThrow('a memory has 17 scratches');
  });

  it('shows every scratch the vectors that were added after its creation', () => {
    const arena = new VectorArena();
    const vectorScratch = new VectorScratch(arena.memory, 2);
    vectorScratch.setQuery(new Int8Array(16).fill(1));
    place(arena, new Int8Array(3_000_000));
    expect(products(vectorScratch, placeVectors(arena, new Int8Array(16).fill(5), 16))).toEqual([
      80,
    ]);
  });

  it('finds nothing similar if the query is zero', () => {
    const arena = new VectorArena();
    const vectorScratch = new VectorScratch(arena.memory, 0);
    vectorScratch.setQuery(new Int8Array(16).fill(3));
    vectorScratch.setQuery(new Int8Array(16));
    expect(products(vectorScratch, placeVectors(arena, new Int8Array(32).fill(5), 16))).toEqual([
      0, 0,
    ]);
  });

  it('rejects vectors that it cannot scan', () => {
    const vectorScratch = new VectorScratch(new VectorArena().memory, 0);
    expect(() => vectorScratch.setQuery(new Int8Array(20))).toThrow('a multiple of 16');
    expect(() => vectorScratch.setQuery(new Int8Array(16_384))).toThrow('at most 8192');
  });
});

/** Computes `dotProducts`, one value at a time. */
function scalarDotProduct(query: Int8Array, vector: Int8Array): number {
  let sum = 0;
  for (let j = 0; j < query.length; j++)
    sum = (sum + (query[j] as number) * (vector[j] as number)) | 0;
  return sum;
}
