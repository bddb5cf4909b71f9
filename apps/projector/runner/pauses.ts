import { type BackOff, backOffMs } from '#platform';

/** Between a failure and the next try: from 50 ms, doubling, to 10 s, with a quarter of jitter. */
export const RETRY_PAUSES: BackOff = { firstMs: 50, longestMs: 10_000, jitter: 0.25 };

/** Milliseconds before attempt `attempt + 1`. */
export function retryDelay(attempt: number): number {
  return backOffMs(RETRY_PAUSES, attempt);
}

/**
 * How long a checkpoint may stay behind while only events come that a projection does not handle,
 * milliseconds. Searches write one each: a transaction a projection for each of them would cost
 * more than the search.
 */
export const IDLE_CHECKPOINT_MS = 1_000;
