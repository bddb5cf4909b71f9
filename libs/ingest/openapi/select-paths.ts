import { compileGlob, type PathMatcher } from '#platform/patterns/glob';

/**
 * Whether a path of the API is wanted, by globs over paths: `/users/**`, `/users/{id}`, `**` + `/{id}/status`. The braces
 * of a path's parameters are read as in the specification, with the parameter's name.
 * @throws RangeError for a glob that cannot be used.
 */
export function pathSelector(include: readonly string[], exclude: readonly string[]): PathMatcher {
  const wanted = include.map(compileGlob);
  const unwanted = exclude.map(compileGlob);
  return (path) => {
    // In a glob `{id}` is the one alternative `id`.
    const spelled = path.replace(/[{}]/g, '').replace(/^\/+/, '');
    const matches = (glob: PathMatcher): boolean => glob(spelled);
    return (wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches);
  };
}
