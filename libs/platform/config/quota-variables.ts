import { STANDARD_LIMITS } from '#contracts';

import { integer, text } from './parsers.js';
import { quotaPlans } from './quota-plans.js';
import { variable } from './variable.js';

/** What a tenant may use, how fast anybody may ask, and how much of a process one tenant may take at once. */
export const QUOTA_VARIABLES = {
  QUOTA_PLANS: variable(
    quotaPlans,
    JSON.stringify({ standard: STANDARD_LIMITS }),
    'Plans as JSON: limits by metric and rolling window, `null` for none. What a plan leaves out is as written here (docs/quota.md).',
  ),
  DEFAULT_PLAN: variable(text, 'standard', 'Plan of a tenant that `npm run tenant -- plan` gave no other.'),
  RATE_LIMIT_ADDRESS: variable(
    integer(0, 1_000_000_000),
    '12000',
    'Requests that one address (of IPv6, one /64) may make a minute, whoever it speaks for; 0 for no limit.',
  ),
  RATE_LIMIT_FAILED_AUTH: variable(
    integer(0, 1_000_000_000),
    '300',
    'Requests a minute that may be refused to one address without valid credentials (401, or 400 or 404 before those are looked at), and as many sign-ins and as many pushes; 0 for no limit.',
  ),
  SEARCHES_PER_TENANT: variable(
    integer(1, 1_000),
    '32',
    'Searches of one tenant that a process works on at once; further ones wait, a thousand at most.',
  ),
  STREAMS_PER_TENANT: variable(integer(1, 100_000), '50', 'Event streams that one tenant may hold open in a process.'),
  STREAMS_IN_ALL: variable(integer(1, 1_000_000), '500', 'Event streams that may be open in a process.'),
} as const;
