/** Digits of a `Retry-After` in seconds; a longer number is not a plausible time. */
const SECONDS = /^\d{1,9}$/;

/**
 * Returns the wait that a `Retry-After` header requests, milliseconds from `now`; undefined if it
 * is missing or invalid. A date in the past is no wait.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (SECONDS.test(value)) return Number(value) * 1_000;
  const date = /^[A-Za-z]{3},? /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
