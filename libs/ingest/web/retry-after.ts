/** Digits of a `Retry-After` in seconds; more are no time that anyone means. */
const SECONDS = /^\d{1,9}$/;

/**
 * How long a `Retry-After` header asks to wait, milliseconds from `now`; undefined when there is
 * none that can be read. A date that has passed is no wait.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (SECONDS.test(value)) return Number(value) * 1_000;
  const date = /^[A-Za-z]{3},? /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
