import type { SearchAction } from './action.types.js';
import type { Understanding } from './question.types.js';
import { newActions, searchAction } from './search-action.js';

/** Globs of files by their role. */
export const TEST_PATHS: readonly string[] = [
  '**/test/**',
  '**/tests/**',
  '**/*_test.*',
  '**/*.test.*',
  '**/*.spec.*',
  '**/*Test.*',
];
const SETTING_PATHS: readonly string[] = [
  '**/docs/**',
  '**/*.md',
  '**/*.rst',
  '**/*config*',
  '**/*setting*',
  '**/*option*',
];
const REASON_PATHS: readonly string[] = ['**/docs/**', '**/*.md', '**/*.rst', '**/CHANGES*'];
const MOST_IDENTIFIERS = 4;
const MOST_PATHS = 2;

/** Input of the first searches. */
export interface SearchPlanInput {
  readonly understanding: Understanding;
  /** Attached repositories, as `owner/name`. */
  readonly repositories: readonly string[];
  /** Maximum number of actions. */
  readonly limit: number;
}

/**
 * Returns the first searches of a job, most useful first. They ask the question in all repositories
 * and in each. They also ask for names as definitions, for named paths, and for paths by the kind
 * of the question.
 */
export function searchActions({
  understanding,
  repositories,
  limit,
}: SearchPlanInput): SearchAction[] {
  if (repositories.length === 0) return [];
  const { question, identifiers, paths, quoted } = understanding;
  const all = { repositories, paths: [], isMultiHop: false };
  const actions = [
    searchAction({ ...all, purpose: 'question', query: question, isMultiHop: true }),
    ...repositories.map((repo) =>
      searchAction({ ...all, purpose: 'question', query: question, repositories: [repo] }),
    ),
    ...identifiers
      .slice(0, MOST_IDENTIFIERS)
      .map((name) => searchAction({ ...all, purpose: 'definition', query: name })),
    ...paths
      .slice(0, MOST_PATHS)
      .map((path) =>
        searchAction({ ...all, purpose: 'path', query: question, paths: [`**/${path}`, path] }),
      ),
    ...quoted.slice(0, 1).map((text) => searchAction({ ...all, purpose: 'term', query: text })),
    ...pathsOfKind(understanding).map((globs) =>
      searchAction({ ...all, purpose: 'path', query: question, paths: globs }),
    ),
  ];
  return newActions(actions, [], limit);
}

function pathsOfKind({ kind, terms }: Understanding): (readonly string[])[] {
  const asksForTests = terms.some((term) => term === 'test');
  return [
    ...(asksForTests ? [TEST_PATHS] : []),
    ...(kind === 'setting' ? [SETTING_PATHS] : []),
    ...(kind === 'why' ? [REASON_PATHS] : []),
  ];
}
