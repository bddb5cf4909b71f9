import type { RateLimit } from '#contracts';

/** Returns the headers that report the rest of a limit. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetSeconds,
}: RateLimit): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  };
}
