import { type BackOff, backOffMs } from '#platform';

/** Between a failure and the next try: from 50 ms, doubling, to 10 s, with a quarter of jitter. */
export const RETRY_PAUSES: BackOff = { firstMs: 50, longestMs: 10_000, jitter: 0.25 };

/** Milliseconds before attempt `attempt + 1`. */
export function retryDelay(attempt: number): number {
  return backOffMs(RETRY_PAUSES, attempt);
}

/**
 * Maximum delay of a checkpoint while only events arrive that a projection does not handle, in
 * milliseconds. Each search writes such an event: a transaction of every projection for each would
 * cost more than the search.
 */
export const IDLE_CHECKPOINT_MS = 1_000;
/**
 * The same where all callers that wait for the projection are in this process, which learns of the
 * progress without a checkpoint. A start then reads so many seconds of events again.
 */
export const LOCAL_IDLE_CHECKPOINT_MS = 5_000;
