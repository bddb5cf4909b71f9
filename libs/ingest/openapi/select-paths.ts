import { type PathMatcher, selectPaths } from '#platform/patterns/glob';

/**
 * Returns the test for paths of the API, by globs over paths: `/users/**`, `/users/{id}`, `**` +
 * `/{id}/status`. The braces of a path's parameters are read as in the specification, with the
 * parameter's name. @throws RangeError for a glob that cannot be used.
 */
export function pathSelector(include: readonly string[], exclude: readonly string[]): PathMatcher {
  const isSelected = selectPaths(include, exclude);
  // In a glob `{id}` is the one alternative `id`.
  return (path) => isSelected(path.replace(/[{}]/g, ''));
}
