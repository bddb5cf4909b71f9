import {
  METRIC_WINDOWS,
  PLAN_METRICS,
  type PlanMetric,
  type QuotaLimit,
  type QuotaPlan,
  STANDARD_LIMITS,
} from '#contracts';

import { jsonObject, parseJsonObject } from './json-object.js';
import { InvalidValueError, type Parser } from './parsers.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const MOST = 1_000_000_000_000;
const RULE =
  'plans as JSON, such as {"team":{"search":{"hour":1000,"day":null}}}: lower-case names, each with ' +
  `limits for ${PLAN_METRICS.join(', ')} (requests per minute; search and chat per hour and day; rover per day; sources, chunks and bytes in total), ` +
  'each an integer from 0, or null for no limit';

/** Limits by metric and window, as configured; null means no limit. */
type WrittenLimits = Readonly<Partial<Record<PlanMetric, Readonly<Record<string, number | null>>>>>;

/**
 * The built-in plan `standard` and the configured plans. A configured plan uses the limits of
 * `standard` that it omits.
 */
export const quotaPlans: Parser<Readonly<Record<string, QuotaPlan>>> = (value) => {
  const written = parseJsonObject(value, RULE);
  const plans = Object.entries(written).map(([name, limits]) => {
    if (!NAME.test(name)) throw new InvalidValueError(RULE);
    return planOf(name, checked(limits));
  });
  return Object.fromEntries([planOf('standard', {}), ...plans].map((plan) => [plan.name, plan]));
};

function planOf(name: string, written: WrittenLimits): QuotaPlan {
  const standard: WrittenLimits = STANDARD_LIMITS;
  const limits = PLAN_METRICS.flatMap((metric) =>
    METRIC_WINDOWS[metric].flatMap((window): QuotaLimit[] => {
      const own = written[metric]?.[window];
      const limit = own === undefined ? standard[metric]?.[window] : own;
      return typeof limit === 'number' ? [{ metric, window, limit }] : [];
    }),
  );
  return { name, limits };
}

function checked(value: unknown): WrittenLimits {
  const metrics = jsonObject(value, RULE);
  for (const [name, numbers] of Object.entries(metrics)) {
    const metric = PLAN_METRICS.find((each) => each === name);
    if (metric === undefined) throw new InvalidValueError(RULE);
    for (const [window, limit] of Object.entries(jsonObject(numbers, RULE))) {
      const known = METRIC_WINDOWS[metric].some((each) => each === window);
      if (!known || !isLimit(limit)) throw new InvalidValueError(RULE);
    }
  }
  return metrics;
}

function isLimit(value: unknown): boolean {
  return value === null || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST);
}
