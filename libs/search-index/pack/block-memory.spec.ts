import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { BlockMemory } from './block-memory.js';

const SIZE = 100;
const contentOf = (key: number, length: number): Buffer => Buffer.alloc(length, key % 251);
const add = (memory: BlockMemory, key: number, length: number): Buffer =>
  memory.add(key, length, (target, at) => {
    contentOf(key, length).copy(target, at);
    return target.subarray(at, at + length);
  });

describe('BlockMemory', () => {
  it('returns what was added, or nothing, whatever the order and lengths', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(SIZE + 20), { maxLength: 60 }), (lengths) => {
        const memory = new BlockMemory(SIZE);
        for (const [key, length] of lengths.entries()) {
          expect(add(memory, key, length).equals(contentOf(key, length))).toBe(true);
          for (const [known, ofKnown] of lengths.slice(0, key + 1).entries()) {
            const kept = memory.get(known);
            if (kept) expect(kept.equals(contentOf(known, ofKnown))).toBe(true);
          }
        }
      }),
    );
  });

  it('keeps the newest blocks, as many as have room', () => {
    const memory = new BlockMemory(SIZE);
    for (const key of [1, 2, 3, 4, 5]) add(memory, key, 30);
    expect([1, 2, 3, 4, 5].filter((key) => memory.get(key))).toEqual([3, 4, 5]);
  });

  it('does not keep a block that is longer than the memory, nor one that cannot be written', () => {
    const memory = new BlockMemory(SIZE);
    add(memory, 1, SIZE);
    add(memory, 2, SIZE + 1);
    expect([memory.get(1)?.length, memory.get(2)]).toEqual([SIZE, undefined]);
    const fail = () => {
      throw new Error('damaged');
    };
    expect(() => memory.add(3, 10, fail)).toThrow('damaged');
    expect([memory.get(1), memory.get(3)]).toEqual([undefined, undefined]);
  });
});
