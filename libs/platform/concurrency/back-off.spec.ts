import { describe, expect, it } from '@jest/globals';

import { backOffMs } from './back-off.js';

describe('a back-off', () => {
  const waits = (attempts: readonly number[], random: () => number, jitter = 0, factor = 2) =>
    attempts.map((attempt) =>
      backOffMs({ firstMs: 100, longestMs: 1_000, factor, jitter }, attempt, random),
    );

  it('grows by its factor from the first pause to the longest, whatever the number of attempts', () => {
    expect(waits([1, 2, 3, 4, 5, 6], () => 0.5)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(waits([1, 2, 3], () => 0.5, 0, 4)).toEqual([100, 400, 1_000]);
    expect(backOffMs({ firstMs: 100, longestMs: 1_000 }, 100_000)).toBe(1_000);
  });

  it('leaves out up to the share of jitter, and never waits longer', () => {
    expect(waits([1, 5], () => 0, 0.25)).toEqual([100, 1_000]);
    expect(waits([1, 5], () => 1, 0.25)).toEqual([75, 750]);
    const waited = Array.from({ length: 50 }, () =>
      backOffMs({ firstMs: 100, longestMs: 1_000, jitter: 0.5 }, 1),
    );
    expect(new Set(waited).size).toBeGreaterThan(1);
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...waited)).toBeLessThanOrEqual(100);
  });
});
