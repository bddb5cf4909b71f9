import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { EntryBlocks } from './entry-blocks.js';

describe('blocks of entries', () => {
  it('never overlap, and waste at most an eighth', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.boolean()));
    fc.assert(
      fc.property(sizes, (steps) => {
        const blocks = new EntryBlocks();
        const reserved: { at: number; size: number }[] = [];
        for (const [size, isKept] of steps) {
          const block = { at: blocks.reserve(size), size };
          for (const { at, size: other } of reserved)
            expect(block.at >= at + other || block.at + size <= at).toBe(true);
          if (isKept) reserved.push(block);
          else blocks.release(block);
        }
        expect(blocks.end).toBeLessThanOrEqual(
          steps.reduce((sum, [size]) => sum + (size * 9) / 8, 0),
        );
      }),
    );
  });

  it('are reused for the same size', () => {
    const blocks = new EntryBlocks();
    const at = blocks.reserve(100);
    blocks.release({ at, size: 100 });
    expect(blocks.reserve(100)).toBe(at);
    expect(blocks.reserve(100)).not.toBe(at);
  });
});
