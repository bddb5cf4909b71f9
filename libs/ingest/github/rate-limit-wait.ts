import { backOffMs } from '#platform';

/** The parts of an answer that concern limits. */
export interface LimitedAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const WAITS = { firstMs: 60_000, longestMs: 15 * 60_000 };
const MOST_WAIT_MS = 24 * 3_600_000;
/** GitHub's clock may differ from ours by this much. */
const CLOCK_MARGIN_MS = 1_000;

/** Returns whether GitHub rejected a request because of a limit. 403 also has other meanings. */
export function isLimited({ status, headers, body }: LimitedAnswer): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /rate limit|abuse detection/i.test(body.slice(0, 2_000))
  );
}

/**
 * Returns how long to wait after a rejection, in milliseconds. `Retry-After` decides, else the
 * reset of an exhausted limit. Without both it is a minute that doubles with each further
 * rejection.
 *
 * @param strikes rejections in a row before this one
 */
export function waitAfterLimit({ headers }: LimitedAnswer, now: number, strikes: number): number {
  const seconds = wholeNumber(headers['retry-after']);
  if (seconds !== undefined) return Math.min(seconds * 1_000, MOST_WAIT_MS);
  return untilReset(headers, now) ?? backOffMs(WAITS, strikes + 1);
}

/** Returns the milliseconds until an exhausted limit resets; undefined while requests remain. */
export function untilReset(
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  const reset = wholeNumber(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] !== '0' || reset === undefined) return undefined;
  return Math.max(0, reset * 1_000 - now) + CLOCK_MARGIN_MS;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
