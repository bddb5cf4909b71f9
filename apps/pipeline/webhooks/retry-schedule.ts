const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after failed attempts: twelve attempts within 24 hours. */
export const RETRY_PAUSES_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  10 * HOUR,
];

/**
 * Returns the time of the next attempt; null after the last one.
 * @param attempt number of failed attempts.
 */
export function retryAt(attempt: number, now: Date): Date | null {
  const pause = RETRY_PAUSES_MS[attempt - 1];
  return pause === undefined ? null : new Date(now.getTime() + pause);
}
