import type { Target } from './labels.js';

/** The fields of a result that the metric needs. */
export interface RankedPlace {
  readonly path: string;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
}

/**
 * Returns NDCG as the public benchmark defines it. A target's rank is the first result of the list
 * that covers it; each rank counts once. The ideal list has min(cut, targets) hits on top.
 */
export function ndcg(
  results: readonly RankedPlace[],
  targets: readonly Target[],
  cut = 10,
): number {
  const ranks = new Set<number>();
  for (const target of targets) {
    const rank = results.slice(0, cut).findIndex((result) => covers(result, target));
    if (rank !== -1) ranks.add(rank);
  }
  const gain = (rank: number): number => 1 / Math.log2(rank + 2);
  const ideal = Array.from({ length: Math.min(cut, targets.length) }, (_, rank) =>
    gain(rank),
  ).reduce(sum, 0);
  return ideal === 0 ? 0 : [...ranks].map(gain).reduce(sum, 0) / ideal;
}

/** 1 / rank of the first result that covers a target; 0 when none of the first `cut` does. */
export function reciprocalRank(
  results: readonly RankedPlace[],
  targets: readonly Target[],
  cut = 10,
): number {
  const rank = results
    .slice(0, cut)
    .findIndex((result) => targets.some((target) => covers(result, target)));
  return rank === -1 ? 0 : 1 / (rank + 1);
}

/** Share of the targets that one of the first `cut` results covers. */
export function recall(
  results: readonly RankedPlace[],
  targets: readonly Target[],
  cut = 10,
): number {
  const first = results.slice(0, cut);
  return mean(targets.map((target) => (first.some((result) => covers(result, target)) ? 1 : 0)));
}

/** Half the width of the 95 % interval of the mean of such values, by the normal approximation. */
export function halfInterval(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  const variance =
    values.map((value) => (value - middle) ** 2).reduce(sum, 0) / (values.length - 1);
  return 1.96 * Math.sqrt(variance / values.length);
}

function covers(result: RankedPlace, { path, startLine, endLine }: Target): boolean {
  if (
    result.path !== path &&
    !result.path.endsWith(`/${path}`) &&
    !path.endsWith(`/${result.path}`)
  )
    return false;
  if (startLine === undefined || result.startLine === undefined) return true;
  return (
    (result.endLine ?? result.startLine) >= startLine && result.startLine <= (endLine ?? startLine)
  );
}

/** Chance that a value of `high` exceeds one of `low`; ties count half. */
export function auc(high: readonly number[], low: readonly number[]): number {
  let wins = 0;
  for (const a of high) for (const b of low) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return wins / (high.length * low.length);
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce(sum, 0) / values.length;
}

function sum(a: number, b: number): number {
  return a + b;
}
