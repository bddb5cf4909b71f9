import { describe, expect, it } from '@jest/globals';

import { steadyTime } from './steady-time.js';

const DAY_MS = 86_400_000;

describe('steadyTime', () => {
  it.each([-DAY_MS, -3_600_000, 3_600_000, DAY_MS])(
    'ignores a step of the wall clock by %d ms',
    (step) => {
      let wall = Date.UTC(2026, 0, 1);
      let monotonic = 500;
      const now = steadyTime({ now: () => new Date(wall), monotonic: () => monotonic });
      const start = now();
      expect(start).toBe(wall);
      wall += step;
      monotonic += 40;
      expect(now()).toBe(start + 40);
    },
  );
});
