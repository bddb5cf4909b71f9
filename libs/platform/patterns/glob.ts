import { GlobList } from './glob-list.js';

/**
 * Glob patterns over repository paths, matched in time linear in the path and in the size of the
 * list. So no pattern can block the process, which excludes regular expressions and general glob
 * libraries.
 *
 * - `*` any run of characters except `/`, `?` one of them, `**` as a whole part any number of
 *   folders, `{a,b}` either.
 * - Without `/` (except at the end), it matches a file or a folder of that name at any depth.
 *   `*.md`, `node_modules`.
 * - With `/`, it is matched from the root. `src/*.ts`, `/README.md`, `packages/*` + `/test/**`.
 * - A folder includes everything below it: with `/` or `/**` at the end, or if the last part has no
 *   wildcard (`docs/guide`).
 * - A URL is a path that begins with its scheme and host: `https://docs.example/guide/**`.
 * - Matching is case-sensitive; a dot at the beginning of a name is an ordinary character.
 * - A path of more than 4,096 characters matches no pattern.
 *
 * Classes `[a-z]`, extended globs such as `!(a|b)`, `\` escapes and a leading `!` are rejected with
 * a sentence.
 */
export type PathMatcher = (path: string) => boolean;

/** @throws RangeError with the sentence of {@link validateGlob}. */
export function compileGlob(pattern: string): PathMatcher {
  return compileGlobs([pattern]);
}

/**
 * Returns a matcher of paths that any of the patterns matches.
 * @throws the errors of {@link compileGlob}.
 */
export function compileGlobs(patterns: readonly string[]): PathMatcher {
  const list = new GlobList(patterns);
  return (path) => list.matches(path);
}

/**
 * Returns a matcher of paths that any include pattern matches (all without one) and no exclude
 * pattern does.
 */
export function selectPaths(include: readonly string[], exclude: readonly string[]): PathMatcher {
  const wanted = new GlobList(include);
  const unwanted = new GlobList(exclude);
  return (path) => (wanted.isEmpty || wanted.matches(path)) && !unwanted.matches(path);
}
