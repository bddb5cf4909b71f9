import { describe, expect, it } from '@jest/globals';

import { rateLimiterContract } from '#test/contracts/rate-limiter.contract';

import { MemoryRateLimiter } from './memory-rate-limiter.js';

/** Returns a clock that only the test advances. */
function still() {
  let time = 5_400;
  return {
    monotonic: () => time,
    pass: async (milliseconds: number) => void (time += milliseconds),
  };
}

rateLimiterContract('memory', async () => {
  const { monotonic, pass } = still();
  const limiter = new MemoryRateLimiter({ clock: { monotonic }, windowSeconds: 1 });
  return { limiters: [limiter], pass, graceMs: 1_000, close: () => limiter.close() };
});

describe('limits of a minute in memory', () => {
  it('release a second at a time, and report when the first one is released', async () => {
    const { monotonic, pass } = still();
    const limiter = new MemoryRateLimiter({ clock: { monotonic } });
    const take = () => limiter.take('a', 2);
    expect(take()).toEqual({ allowed: true, remaining: 1, resetSeconds: 61 });
    await pass(30_000);
    expect(take()).toEqual({ allowed: true, remaining: 0, resetSeconds: 31 });
    expect(take()).toEqual({ allowed: false, remaining: 0, resetSeconds: 31 });
    await pass(30_599);
    expect(take().allowed).toBe(false);
    await pass(1);
    expect(take()).toEqual({ allowed: true, remaining: 0, resetSeconds: 30 });
    await pass(3_600_000);
    expect(await limiter.used('a')).toEqual({ count: 0, resetSeconds: 0 });
  });
});
