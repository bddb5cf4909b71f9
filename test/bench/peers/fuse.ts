/** The constant of the paper that named the method, and the default of those who build it in. */
const RANK_CONSTANT = 60;

/**
 * Reciprocal rank fusion: ids of several rankings by Σ 1 / (60 + rank), best first; equal ones in
 * order of appearance.
 */
export function fuseRanks<T>(rankings: readonly (readonly T[])[], limit: number): T[] {
  const scores = new Map<T, number>();
  for (const ranking of rankings) {
    ranking.forEach((id, at) =>
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_CONSTANT + at + 1)),
    );
  }
  return [...scores]
    .sort(([, left], [, right]) => right - left)
    .slice(0, limit)
    .map(([id]) => id);
}
