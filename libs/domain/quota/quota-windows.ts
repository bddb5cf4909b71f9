import {
  FootnoteError,
  QUOTA_WINDOWS,
  type QuotaLimit,
  type QuotaUsage,
  type RateLimit,
} from '#contracts';

import { amountSince, type Consumptions, momentOf } from './consumptions.js';

/** Seconds in `Retry-After` if waiting alone does not help, as with totals. */
const ASK_AGAIN_SECONDS = 3_600;

/**
 * Returns the usage of a limit at a moment. Consumptions that other processes' clocks put after
 * that moment count too. So no period as long as the window contains more than the limit, whatever
 * the order of events.
 */
export function usageOf(
  limit: QuotaLimit,
  consumptions: Consumptions,
  now: number,
  reserved = 0,
): QuotaUsage {
  const since = now - windowMs(limit);
  const used = amountSince(consumptions, since) + reserved;
  const oldest = momentOf(consumptions, since, 1);
  const resetsAt = oldest === null ? null : oldest + windowMs(limit);
  return { ...limit, used, remaining: Math.max(0, limit.limit - used), resetsAt };
}

/**
 * Rejects an amount that does not fit into every limit.
 * @param reserved amount that is reserved and not yet consumed.
 * @throws FootnoteError `quota_exceeded` of the limit that takes longest to free enough.
 */
export function refuseOver(
  limits: readonly QuotaLimit[],
  consumptions: Consumptions,
  {
    amount,
    now,
    reserved = 0,
  }: { readonly amount: number; readonly now: number; readonly reserved?: number },
): void {
  const refusals = limits.flatMap((limit) => {
    const usage = usageOf(limit, consumptions, now, reserved);
    if (usage.used + amount <= limit.limit) return [];
    return [{ usage, wait: secondsUntilFree(usage, consumptions, amount, now) }];
  });
  const longest = refusals.sort((a, b) => b.wait - a.wait)[0];
  if (longest) throw quotaExceeded(longest.usage, longest.wait);
}

/** @throws FootnoteError `quota_exceeded` if a total would exceed its limit. */
export function refuseOverTotal(limit: QuotaLimit | undefined, used: number, amount: number): void {
  if (limit === undefined || used + amount <= limit.limit) return;
  throw quotaExceeded(totalUsage(limit, used), ASK_AGAIN_SECONDS);
}

export function totalUsage(limit: QuotaLimit, used: number): QuotaUsage {
  return { ...limit, used, remaining: Math.max(0, limit.limit - used), resetsAt: null };
}

/**
 * Returns the usage that the headers report: the limit with the least left; among equals, the one
 * that takes longer to free some.
 */
export function tightest(usages: readonly QuotaUsage[], now: number): RateLimit | null {
  const [first] = [...usages].sort(
    (a, b) => a.remaining - b.remaining || (b.resetsAt ?? 0) - (a.resetsAt ?? 0),
  );
  return first ? rateLimitOf(first, now) : null;
}

function rateLimitOf({ limit, remaining, resetsAt }: QuotaUsage, now: number): RateLimit {
  return { limit, remaining, resetSeconds: resetsAt === null ? 0 : secondsUntil(resetsAt, now) };
}

function quotaExceeded(usage: QuotaUsage, wait: number): FootnoteError {
  const { metric, window, limit, used } = usage;
  const allowed = window === 'total' ? `${limit} in all` : `${limit} a ${window}`;
  return new FootnoteError('quota_exceeded', `The plan allows ${allowed} of ${metric}`, {
    retryAfter: wait,
    rateLimit: { limit, remaining: usage.remaining, resetSeconds: wait },
    details: [{ field: metric, message: `is limited to ${allowed}, of which ${used} are used` }],
  });
}

/**
 * Returns the seconds until enough of the oldest consumptions have left the window. Reserved
 * amounts have no time yet and count as consumed now.
 */
function secondsUntilFree(
  { limit, used, ...window }: QuotaUsage,
  consumptions: Consumptions,
  amount: number,
  now: number,
): number {
  const length = windowMs({ ...window, limit });
  const free = momentOf(consumptions, now - length, used + amount - limit) ?? now;
  return secondsUntil(free + length, now);
}

function windowMs({ window }: QuotaLimit): number {
  const seconds = QUOTA_WINDOWS[window];
  if (seconds === null) throw new Error('A total has no window');
  return seconds * 1_000;
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1_000));
}
