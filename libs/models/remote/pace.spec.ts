import { describe, expect, it } from '@jest/globals';

import { Pace } from './pace.js';

const BOUNDS = { batch: 64, concurrency: 4, timeoutMs: 1_000 };

/** Sends requests by the pace, to a server with the given response times. */
function run(pace: Pace, requests: number, takesMs: (texts: number) => number): number {
  let timeouts = 0;
  for (let request = 0; request < requests; request += 1) {
    const texts = pace.batch;
    const elapsed = takesMs(texts);
    if (elapsed < BOUNDS.timeoutMs) pace.answered(texts, elapsed);
    else {
      timeouts += 1;
      pace.timedOut(texts);
    }
  }
  return timeouts;
}

describe('the pace of an endpoint', () => {
  it('starts small and grows to the bounds while answers are quick, batches first', () => {
    const pace = new Pace(BOUNDS);
    expect([pace.batch, pace.concurrency]).toEqual([4, 1]);
    run(pace, 4, () => 20);
    expect([pace.batch, pace.concurrency]).toEqual([64, 1]);
    run(pace, 20, () => 20);
    expect([pace.batch, pace.concurrency]).toEqual([64, 4]);
  });

  it('settles at about a quarter of the timeout, one request at a time, without a timeout', () => {
    const pace = new Pace(BOUNDS);
    expect(run(pace, 200, (texts) => texts * 15)).toBe(0);
    expect(pace.batch).toBeGreaterThanOrEqual(16);
    expect(pace.batch).toBeLessThanOrEqual(33);
    expect(pace.concurrency).toBe(1);
  });

  it('shrinks for an endpoint that has become slower', () => {
    const pace = new Pace(BOUNDS);
    run(pace, 30, () => 20);
    expect(run(pace, 30, (texts) => texts * 100)).toBeLessThanOrEqual(4);
    expect(pace.batch).toBeLessThanOrEqual(5);
    expect(pace.concurrency).toBe(1);
  });

  it('halves once for requests that time out together', () => {
    const pace = new Pace(BOUNDS);
    run(pace, 30, () => 20);
    for (let request = 0; request < 4; request += 1) pace.timedOut(64);
    expect(pace.batch).toBe(32);
  });

  it('retries a size that timed out less and less often', () => {
    const pace = new Pace(BOUNDS);
    const asked = 1_000;
    expect(run(pace, asked, (texts) => (texts > 8 ? 1_000 : 10))).toBeLessThan(asked / 20);
  });

  it('learns nothing from a request that is smaller than allowed', () => {
    const pace = new Pace(BOUNDS);
    for (let request = 0; request < 10; request += 1) pace.answered(1, 1);
    expect(pace.batch).toBe(4);
  });

  it('stays within the given bounds', () => {
    const pace = new Pace({ ...BOUNDS, batch: 2, concurrency: 1 });
    expect(pace.batch).toBe(2);
    run(pace, 50, () => 1);
    expect([pace.batch, pace.concurrency]).toEqual([2, 1]);
    for (let request = 0; request < 5; request += 1) pace.timedOut(pace.batch);
    expect([pace.batch, pace.concurrency]).toEqual([1, 1]);
  });
});
