import { seeded } from '#platform';

import { quantile } from './metric.js';

const DRAWS = 2_000;
const SEED = 34;

/** A 95 % interval. */
export interface BootstrapInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the 95 % percentile interval of the mean of all values, when whole groups are drawn with
 * replacement. Groups of one value each give the usual bootstrap. The same input gives the same
 * interval.
 */
export function bootstrapInterval(groups: readonly (readonly number[])[]): BootstrapInterval {
  const totals = groups.map((values) => ({
    sum: values.reduce((sum, value) => sum + value, 0),
    count: values.length,
  }));
  const next = seeded(SEED);
  const means = Array.from({ length: DRAWS }, () => {
    let sum = 0;
    let count = 0;
    for (let drawn = 0; drawn < totals.length; drawn++) {
      const group = totals[Math.floor(next() * totals.length)];
      sum += group?.sum ?? 0;
      count += group?.count ?? 0;
    }
    return count === 0 ? 0 : sum / count;
  });
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}
