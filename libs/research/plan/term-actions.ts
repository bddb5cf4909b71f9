import type { Observation, SearchAction } from './action.types.js';
import type { Coverage } from './check.types.js';
import { passageKey } from './merge-observations.js';
import { newActions, searchAction } from './search-action.js';

const MOST_TERMS = 6;

/** Input of the searches of a further round. */
export interface TermInput {
  readonly coverage: Coverage;
  /** Attached repositories, as `owner/name`. */
  readonly repositories: readonly string[];
  readonly observations: readonly Observation[];
  /** Maximum number of actions. */
  readonly limit: number;
}

/** Returns searches for uncovered parts of the question: together by repository, then alone. */
export function termActions({
  coverage,
  repositories,
  observations,
  limit,
}: TermInput): SearchAction[] {
  const parts = coverage.uncovered.slice(0, MOST_TERMS);
  if (parts.length === 0) return [];
  const fixed = { purpose: 'term', paths: [], isMultiHop: false } as const;
  const actions = [
    ...repositories.map((repo) =>
      searchAction({ ...fixed, query: parts.join(' '), repositories: [repo] }),
    ),
    ...parts.map((part) => searchAction({ ...fixed, query: part, repositories })),
  ];
  const done = observations.map(({ action }) => action);
  return newActions(actions, done, limit);
}

/** Returns whether later observations have a passage that the earlier ones do not have. */
export function addsPassages(
  earlier: readonly Observation[],
  later: readonly Observation[],
): boolean {
  const known = new Set(earlier.flatMap(({ passages }) => passages.map(passageKey)));
  return later.some(({ passages }) => passages.some((passage) => !known.has(passageKey(passage))));
}
