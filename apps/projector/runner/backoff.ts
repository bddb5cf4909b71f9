import { backOffMs } from '#platform';

const PAUSES = { firstMs: 50, longestMs: 10_000, jitter: 0.25 };

/** Milliseconds before attempt `attempt + 1`: doubling from 50 ms to 10 s, with a quarter of jitter. */
export function retryDelay(attempt: number): number {
  return backOffMs(PAUSES, attempt);
}
