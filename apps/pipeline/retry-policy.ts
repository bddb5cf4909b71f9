import { createHash } from 'node:crypto';

const FIRST_DELAY_MS = 1_000;
const FACTOR = 4;
const LONGEST_DELAY_MS = 60_000;

/**
 * Wait before the next attempt: 1 s, 4 s, 16 s, then 60 s, each up to a quarter shorter so that jobs that failed together
 * do not come back together. The same seed gives the same wait.
 * @param retry 1 for the first retry.
 */
export function retryDelayMs(retry: number, seed: string): number {
  const full = Math.min(FIRST_DELAY_MS * FACTOR ** (retry - 1), LONGEST_DELAY_MS);
  const jitter = createHash('sha256').update(seed).digest().readUInt32LE(0) / 2 ** 32;
  return Math.round(full * (1 - jitter / 4));
}
