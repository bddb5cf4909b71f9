import type { Clock } from '#platform';

const HOUR_MS = 3_600_000;

/**
 * Returns a clock that starts in the middle of the present hour. The API records the first use of a
 * key in each hour, which would otherwise appear in the middle of a test.
 */
export function midHourClock(): Clock {
  const began = performance.now();
  const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 2;
  return {
    now: () => new Date(start + performance.now() - began),
    monotonic: () => performance.now(),
  };
}
