import { STANDARD_LIMITS } from '#contracts';

import { integer, text } from './parsers.js';
import { quotaPlans } from './quota-plans.js';
import { variable } from './variable.js';

/** Quotas, rate limits, and the share of a process that one tenant may use at once. */
export const QUOTA_VARIABLES = {
  QUOTA_PLANS: variable(
    quotaPlans,
    JSON.stringify({ standard: STANDARD_LIMITS }),
    'Plans as JSON: limits by metric and rolling window, `null` for none. Limits that a plan omits have the defaults shown here (docs/quota.md).',
  ),
  DEFAULT_PLAN: variable(
    text,
    'standard',
    'Plan of tenants without a plan from `npm run tenant -- plan`.',
  ),
  RATE_LIMIT_ADDRESS: variable(
    integer(0, 1_000_000_000),
    '12000',
    'Requests per minute from one address (an IPv6 /64 counts as one), regardless of credentials; 0 for no limit.',
  ),
  RATE_LIMIT_FAILED_AUTH: variable(
    integer(0, 1_000_000_000),
    '300',
    'Rejected requests per minute from one address without valid credentials; 0 for no limit. This covers 401, and 400 or 404 before credentials are checked. Sign-ins and pushes each have a separate counter with the same limit.',
  ),
  SEARCHES_PER_TENANT: variable(
    integer(1, 1_000),
    '32',
    'Concurrent searches of one tenant in a process; further ones wait, at most a thousand.',
  ),
  STREAMS_PER_TENANT: variable(
    integer(1, 100_000),
    '50',
    'Event streams that one tenant may have open in a process.',
  ),
  STREAMS_IN_ALL: variable(
    integer(1, 1_000_000),
    '500',
    'Event streams that may be open in a process.',
  ),
} as const;
