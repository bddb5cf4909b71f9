import { describe, expect, it } from '@jest/globals';

import { seeded } from '#platform';

import { nthHighest } from './nth-highest.js';

const SIZE = 1_000;
const random = seeded(3);

describe('the nth highest of some values', () => {
  it.each([
    ['random', () => random()],
    ['few different', () => Math.floor(3 * random())],
    ['equal', () => 0.5],
    ['ascending', (at: number) => at],
    ['descending', (at: number) => -at],
    ['rising and falling', (at: number) => Math.min(at, SIZE - at)],
    ['alternating', (at: number) => (at % 2 === 0 ? at : -at)],
  ])('is that of a sort: %s', (_, valueAt) => {
    for (const size of [1, 2, 16, 17, SIZE]) {
      const values = Float64Array.from({ length: size }, (_, at) => valueAt(at));
      const sorted = values.toSorted().reverse();
      for (const nth of new Set([1, Math.ceil(size / 5), size]))
        expect(nthHighest(values.slice(), nth)).toBe(sorted[nth - 1]);
    }
  });
});
