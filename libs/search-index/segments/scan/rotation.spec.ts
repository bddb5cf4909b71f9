import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { rotate, rotationOf } from './rotation.js';

const DIMENSIONS = 256;
const vector = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS });
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, at) => sum + value * (b[at] as number), 0);

describe('rotate', () => {
  it('keeps the products of vectors, in 128 times their size', () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        expect(dot(rotate(a), rotate(b))).toBe(128 * dot(a, b));
      }),
    );
  });

  it('spreads one dimension over many', () => {
    const rotated = rotate(new Int8Array(DIMENSIONS).fill(5, 9, 10));
    expect(rotated.filter((value) => Math.abs(value) === 5)).toHaveLength(128);
  });

  it('uses each dimension once, and never changes', () => {
    const { order, signs } = rotationOf(384);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 384 }, (_, at) => at));
    expect([...order.slice(0, 6)]).toEqual([198, 240, 84, 168, 311, 8]);
    expect(signs.filter((sign) => sign < 0)).toHaveLength(186);
  });

  it('rejects a number of dimensions that the transform does not divide', () => {
    expect(() => rotationOf(200)).toThrow('a multiple of 128 (got 200)');
  });
});
