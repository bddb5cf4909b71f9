import { describe, expect, it } from '@jest/globals';

import { CompactRange } from './compact-range.js';
import { emptyRoot, leafHash, nodeHash } from './hashing.js';
import { verifyConsistency, verifyInclusion } from './verify-proof.js';

/**
 * Reference vectors of RFC 6962 trees: the eight leaves, their roots and the proofs of
 * github.com/transparency-dev/merkle (`testdata`, `rfc6962`; copyright Google LLC, Apache-2.0).
 */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
LEAVES.push('606162636465666768696a6b6c6d6e6f');
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const INCLUSION = [
  { index: 0, size: 1, proof: [] },
  {
    index: 0,
    size: 8,
    proof: [
      'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
      'Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=',
      'a0eq8p7jwq+a+Im8H7klTavTEXfxYjLdaqsDXKOb9uQ=',
    ],
  },
  {
    index: 5,
    size: 8,
    proof: [
      'vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=',
      'yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=',
      '037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=',
    ],
  },
  { index: 2, size: 3, proof: ['+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU='] },
  {
    index: 1,
    size: 5,
    proof: [
      'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=',
      'Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=',
      'vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=',
    ],
  },
];

const CONSISTENCY = [
  { from: 1, to: 1, proof: [] },
  {
    from: 1,
    to: 8,
    proof: [
      'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
      'Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=',
      'a0eq8p7jwq+a+Im8H7klTavTEXfxYjLdaqsDXKOb9uQ=',
    ],
  },
  {
    from: 6,
    to: 8,
    proof: [
      'DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o=',
      'yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=',
      '037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=',
    ],
  },
  {
    from: 2,
    to: 5,
    proof: [
      'Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=',
      'vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=',
    ],
  },
  {
    from: 6,
    to: 7,
    proof: [
      'DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o=',
      'sIaT7C5yFZcTBkHoIR5+7cy0wmQTlj7ubB4u0W/7Gl8=',
      '037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=',
    ],
  },
];

const root = (size: number): Buffer => Buffer.from(ROOTS[size] ?? '', 'hex');
const leaf = (index: number): Buffer => leafHash(Buffer.from(LEAVES[index] ?? '', 'hex'));
const hashes = (proof: readonly string[]): Buffer[] =>
  proof.map((text) => Buffer.from(text, 'base64'));
const garbage = Buffer.alloc(32, 7);

/** Changes of a proof that the reference rejects, in addition to wrong indexes, sizes and roots. */
const corrupted = (proof: readonly Buffer[], ...roots: readonly Buffer[]): Buffer[][] => [
  [...proof, garbage],
  [garbage, ...proof],
  [...proof, Buffer.alloc(0)],
  ...roots.flatMap((other) => [
    [...proof, other],
    [other, ...proof],
  ]),
  ...(proof.length > 0 ? [[], proof.slice(1), proof.slice(0, -1)] : []),
  ...proof.flatMap((hash, at) =>
    [0, 3, 7].map((bit) => proof.with(at, Buffer.from(hash.map((byte) => byte ^ (1 << bit))))),
  ),
];

describe('the hashes of the reference', () => {
  it('agree on leaves, nodes and the empty tree', () => {
    expect(emptyRoot()).toEqual(root(0));
    expect(leafHash('')).toEqual(root(1));
    expect(leafHash('L123456').toString('hex')).toBe(
      '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56',
    );
    expect(nodeHash(Buffer.from('N123'), Buffer.from('N456')).toString('hex')).toBe(
      'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
    );
  });

  it('agree on every root as the tree grows', () => {
    const range = CompactRange.empty();
    const roots = LEAVES.map((_, index) => (range.append(leaf(index)), range.root()));
    expect(roots).toEqual(ROOTS.slice(1).map((hex) => Buffer.from(hex, 'hex')));
  });
});

describe('verifyInclusion', () => {
  it.each(INCLUSION)('accepts leaf $index of $size and no change of it', (vector) => {
    const { index, size } = vector;
    const proof = hashes(vector.proof);
    const claim = { index, size, leaf: leaf(index), root: root(size), proof };
    expect(verifyInclusion(claim)).toBe(true);
    for (const other of corrupted(proof, root(size)))
      expect(verifyInclusion({ ...claim, proof: other })).toBe(false);
    for (const other of [index - 1, index + 1, index ^ 2, -1, 0.5, Number.NaN])
      expect(verifyInclusion({ ...claim, index: other })).toBe(false);
    for (const other of [size * 2, Math.floor(size / 2), 0, Number.MAX_SAFE_INTEGER])
      expect(verifyInclusion({ ...claim, size: other })).toBe(false);
    for (const other of [garbage, emptyRoot(), Buffer.alloc(0)]) {
      expect(verifyInclusion({ ...claim, root: other })).toBe(false);
      expect(verifyInclusion({ ...claim, leaf: other })).toBe(false);
    }
  });
});

describe('verifyConsistency', () => {
  it.each(CONSISTENCY)('accepts $from in $to and no change of it', (vector) => {
    const { from, to } = vector;
    const proof = hashes(vector.proof);
    const claim = { from, to, fromRoot: root(from), toRoot: root(to), proof };
    expect(verifyConsistency(claim)).toBe(true);
    for (const other of corrupted(proof, root(from), root(to)))
      expect(verifyConsistency({ ...claim, proof: other })).toBe(false);
    for (const other of [from - 1, from + 1, from ^ 2, -1])
      expect(verifyConsistency({ ...claim, from: other })).toBe(false);
    for (const other of [to * 2, Math.floor(to / 2), Number.MAX_SAFE_INTEGER])
      expect(verifyConsistency({ ...claim, to: other })).toBe(false);
    for (const other of [garbage, emptyRoot(), Buffer.alloc(0)]) {
      expect(verifyConsistency({ ...claim, fromRoot: other })).toBe(false);
      expect(verifyConsistency({ ...claim, toRoot: other })).toBe(false);
    }
  });

  it('accepts the empty tree at the beginning of each, with its own root and no proof', () => {
    const claim = { from: 0, to: 5, fromRoot: emptyRoot(), toRoot: root(5), proof: [] };
    expect(verifyConsistency(claim)).toBe(true);
    expect(verifyConsistency({ ...claim, fromRoot: root(1) })).toBe(false);
    expect(verifyConsistency({ ...claim, proof: [garbage] })).toBe(false);
  });
});
