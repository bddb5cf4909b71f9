import { describe, expect, it } from '@jest/globals';

import { randomNumber, randomPart } from './random-pool.js';

describe('random bytes for ids', () => {
  it('are new each time, also after the pool was filled again', () => {
    const parts = Array.from({ length: 2_000 }, () => randomPart(16).toString('hex'));
    expect(new Set(parts).size).toBe(2_000);
    expect(parts.every((part) => part.length === 32)).toBe(true);
  });

  it('do not share memory until the pool is filled again', () => {
    const some = Array.from({ length: 100 }, () => randomPart(8));
    const places = new Set(some.map(({ byteOffset }) => byteOffset));
    expect(places.size).toBe(100);
  });

  it('are the digits of a number of that length', () => {
    const numbers = Array.from({ length: 1_000 }, () => randomNumber(5));
    expect(numbers.every((number) => number >= 0 && number < 2 ** 40)).toBe(true);
    expect(Math.max(...numbers)).toBeGreaterThan(2 ** 39);
  });
});
