import type { Clock } from './clock.js';

/**
 * Returns a function that reports milliseconds since the epoch and never jumps: the wall clock as
 * it was at the call, plus monotonic time since. Use it for waits and leases that are stored as
 * points in time by one process: a step of the wall clock must neither end a lease early nor hide a
 * message until the clock has caught up.
 */
export function steadyTime(clock: Clock): () => number {
  const offset = clock.now().getTime() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
}
