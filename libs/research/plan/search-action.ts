import type { SearchAction } from './action.types.js';

/** Returns an action with its key. */
export function searchAction(fields: Omit<SearchAction, 'key'>): SearchAction {
  const { purpose, query, repositories, paths, isMultiHop } = fields;
  const key = JSON.stringify([purpose, query, [...repositories].sort(), paths, isMultiHop]);
  return { ...fields, key };
}

/** Returns the actions without repeats and without those in `done`, at most `limit`. */
export function newActions(
  actions: readonly SearchAction[],
  done: readonly SearchAction[],
  limit: number,
): SearchAction[] {
  const seen = new Set(done.map(({ key }) => key));
  const fresh = actions.filter(({ key }) => !seen.has(key) && seen.add(key));
  return fresh.slice(0, Math.max(0, limit));
}
