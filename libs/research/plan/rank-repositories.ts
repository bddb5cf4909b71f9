import type { HostedRepository } from '#contracts';

import type { RankedRepository } from './repository.types.js';

/** Constant of the reciprocal rank: the first places of a list differ little. */
const SMOOTHING = 60;
const ARCHIVED = 0.5;
const FORK = 0.5;

/**
 * Merges lists of a repository search by reciprocal rank. Archived repositories and forks count
 * half; equals stay in the order of their first appearance.
 */
export function rankRepositories(
  lists: readonly (readonly HostedRepository[])[],
  limit: number,
): RankedRepository[] {
  const ranks = new Map<string, { candidate: HostedRepository; rank: number }>();
  for (const list of lists) {
    const seen = new Set<string>();
    for (const [at, candidate] of list.entries()) {
      const key = candidate.repo.toLowerCase();
      if (seen.has(key)) continue;
      seen.add(key);
      const before = ranks.get(key) ?? { candidate, rank: 0 };
      ranks.set(key, { ...before, rank: before.rank + 1 / (SMOOTHING + at + 1) });
    }
  }
  return [...ranks.values()]
    .map(({ candidate, rank }) => ({
      ...candidate,
      rank: rank * (candidate.isArchived ? ARCHIVED : 1) * (candidate.isFork ? FORK : 1),
    }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit);
}
