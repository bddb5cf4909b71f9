/**
 * Metrics that a plan may limit. The first is a rate limit; events count those of {@link
 * QUOTA_METRICS}; the rest are totals.
 */
export const PLAN_METRICS = [
  'requests',
  'search',
  'chat',
  'rover',
  'sources',
  'chunks',
  'bytes',
] as const;
export type PlanMetric = (typeof PLAN_METRICS)[number];

/** Seconds of each rolling window; null: what is there now, however old. */
export const QUOTA_WINDOWS = { minute: 60, hour: 3_600, day: 86_400, total: null } as const;
export type QuotaWindow = keyof typeof QUOTA_WINDOWS;

/** The windows that each metric is limited over. */
export const METRIC_WINDOWS = {
  requests: ['minute'],
  search: ['hour', 'day'],
  chat: ['hour', 'day'],
  rover: ['day'],
  sources: ['total'],
  chunks: ['total'],
  bytes: ['total'],
} as const satisfies Readonly<Record<PlanMetric, readonly QuotaWindow[]>>;

/** At most so many of a metric in any stretch of time as long as the window. */
export interface QuotaLimit {
  readonly metric: PlanMetric;
  readonly window: QuotaWindow;
  readonly limit: number;
}

/** A plan as its limits; what is not among them is not limited. */
export interface QuotaPlan {
  readonly name: string;
  readonly limits: readonly QuotaLimit[];
}

/** The usage of one limit. */
export interface QuotaUsage extends QuotaLimit {
  readonly used: number;
  /** Never below 0, also where a plan was made smaller than what is used. */
  readonly remaining: number;
  /**
   * Time when the oldest counted usage leaves the window, milliseconds since the epoch. Null for a
   * total, and if nothing is counted.
   */
  readonly resetsAt: number | null;
}

/** The values of the headers `RateLimit-*`. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until some of it comes back. */
  readonly resetSeconds: number;
}

/** The plan of a tenant that was given none, unless it is configured otherwise. */
export const STANDARD_LIMITS = {
  requests: { minute: 6_000 },
  search: { hour: 5_000, day: 20_000 },
  chat: { hour: 500, day: 2_000 },
  rover: { day: 100 },
  sources: { total: 1_000 },
  chunks: { total: 5_000_000 },
  /** 100 GiB. */
  bytes: { total: 107_374_182_400 },
} as const;

/** The limits that a plan has on a metric, the shortest window first. */
export function limitsOf(plan: QuotaPlan, metric: PlanMetric): readonly QuotaLimit[] {
  return plan.limits.filter((limit) => limit.metric === metric);
}
