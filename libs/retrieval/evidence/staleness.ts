import type { StalenessSummary } from '#contracts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Returns the age of a source's content: days since its last successful sync, never negative. */
export function freshnessDays(lastSync: number, now: number): number {
  return Math.max(0, now - lastSync) / DAY_MS;
}

export function isStale(freshness: number, budgetSeconds: number): boolean {
  return freshness * DAY_SECONDS > budgetSeconds;
}

/** Summarizes the sources that have results, each given once; names are in alphabetical order. */
export function stalenessSummary(
  sources: readonly { readonly name: string; readonly isStale: boolean }[],
  budgetSeconds: number,
): StalenessSummary {
  const stale = sources.filter((source) => source.isStale).map(({ name }) => name);
  return {
    total_sources: sources.length,
    fresh_sources: sources.length - stale.length,
    stale_sources: stale.length,
    staleness_budget_days: Math.floor(budgetSeconds / DAY_SECONDS),
    stale_source_names: stale.sort(),
  };
}

/** Warns of stale sources. @returns the warning for a summary; undefined when nothing is stale. */
export function stalenessWarning(summary: StalenessSummary): string | undefined {
  if (summary.stale_sources === 0) return undefined;
  const names = summary.stale_source_names.join(', ');
  return `Results include sources stale beyond ${summary.staleness_budget_days} day policy: ${names}`;
}
