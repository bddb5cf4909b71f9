import type { Clock } from './clock.js';

/**
 * Returns a function that reports milliseconds since the epoch and never jumps: the wall clock at
 * the call, plus monotonic time since. Use it for waits and leases that one process stores as
 * points in time. A step of the wall clock must neither end a lease early nor hide a message for
 * its length.
 */
export function steadyTime(clock: Clock): () => number {
  const offset = clock.now().getTime() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
}
