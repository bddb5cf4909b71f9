import { createHash } from 'node:crypto';

import { backOffMs } from '#platform';

const DELAYS = { firstMs: 1_000, longestMs: 60_000, factor: 4, jitter: 0.25 };

/**
 * Wait before the next attempt: 1 s, 4 s, 16 s, then 60 s, each up to a quarter shorter so that jobs that failed together
 * do not come back together. The same seed gives the same wait.
 * @param retry 1 for the first retry.
 */
export function retryDelayMs(retry: number, seed: string): number {
  const share = createHash('sha256').update(seed).digest().readUInt32LE(0) / 2 ** 32;
  return Math.round(backOffMs(DELAYS, retry, () => share));
}
