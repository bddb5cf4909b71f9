import { describe, expect, it } from '@jest/globals';

import { Pace } from './pace.js';

describe('the pace of steps', () => {
  it('lets a burst through, then one an interval', () => {
    const pace = new Pace({ perSecond: 20, burst: 3 });
    expect([0, 0, 0].map((at) => pace.next(at))).toEqual([0, 0, 0]);
    expect(pace.next(0)).toBe(50);
    expect(pace.next(50)).toBe(50);
  });

  it('has the burst again after a rest, and no more than that', () => {
    const pace = new Pace({ perSecond: 20, burst: 3 });
    for (let step = 0; step < 4; step += 1) pace.next(0);
    expect([10_000, 10_000, 10_000].map((at) => pace.next(at))).toEqual([0, 0, 0]);
    expect(pace.next(10_000)).toBe(50);
  });

  it('never asks for more than one interval, however many steps did not wait', () => {
    const pace = new Pace({ perSecond: 20, burst: 3 });
    for (let step = 0; step < 100; step += 1) pace.next(0);
    expect(pace.next(0)).toBe(50);
  });
});
