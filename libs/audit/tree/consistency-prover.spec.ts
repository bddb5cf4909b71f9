import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { CompactRange } from './compact-range.js';
import { ConsistencyProver } from './consistency-prover.js';
import { verifyConsistency } from './verify-proof.js';

const leaf = (seq: number): Buffer => createHash('sha256').update(String(seq)).digest();

describe('ConsistencyProver', () => {
  it.each([0, 1, 2, 3, 255, 256, 257, 300, 511, 512, 600, 1_000])(
    'proves that larger trees continue the tree of %i leaves',
    async (from) => {
      const prover = new ConsistencyProver(from);
      const range = CompactRange.empty();
      let fromRoot = range.root();
      const sizes = new Set([from, from + 1, from + 7, 256, 512, 700, 1_024, 1_100]);
      for (let size = 0; size <= 1_100; size += 1) {
        if (size === from) fromRoot = range.root();
        if (size >= from && sizes.has(size)) {
          const proof = [...(await prover.proof())];
          const claim = { from, to: size, fromRoot, toRoot: range.root(), proof };
          expect([size, verifyConsistency(claim)]).toEqual([size, true]);
        }
        prover.append(leaf(size));
        range.append(leaf(size));
      }
    },
  );

  it('rejects a tree that is smaller', async () => {
    const prover = new ConsistencyProver(2);
    prover.append(leaf(0));
    await expect(prover.proof()).rejects.toThrow(RangeError);
  });
});
