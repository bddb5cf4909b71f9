import { describe, expect, it } from '@jest/globals';

import { retryDelayMs } from './stage-failures.js';

describe('retry policy', () => {
  it.each([
    [1, 1_000],
    [2, 4_000],
    [3, 16_000],
    [4, 60_000],
    [9, 60_000],
  ])('waits up to a quarter less than the full time before retry %i', (retry, full) => {
    for (const seed of ['a', 'b', 'c', 'd', 'e']) {
      expect(retryDelayMs(retry, seed)).toBeLessThanOrEqual(full);
      expect(retryDelayMs(retry, seed)).toBeGreaterThanOrEqual(full * 0.75);
    }
  });

  it('spreads jobs that failed together, and gives one job the same wait every time', () => {
    const waits = ['a', 'b', 'c', 'd'].map((seed) => retryDelayMs(3, seed));
    expect(new Set(waits).size).toBe(4);
    expect(retryDelayMs(3, 'a')).toBe(waits[0]);
  });
});
