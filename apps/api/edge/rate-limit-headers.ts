import type { RateLimit } from '#contracts';

/** What is left of a limit, as answers tell it. */
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
