import { GlobList } from './glob-list.js';

/**
 * Glob patterns over repository paths, matched in time linear in the path and in the size of the
 * list: no pattern that anyone sends can hold the process up, which is why this is neither a
 * regular expression nor a general glob library.
 *
 * - `*` any run of characters but `/`, `?` one of them, `**` as a whole part any number of folders,
 *   `{a,b}` either.
 * - No `/` in it (but at the end): it matches a file or a folder of that name at any depth. `*.md`,
 *   `node_modules`.
 * - A `/` in it: it is read from the root. `src/*.ts`, `/README.md`, `packages/*` + `/test/**`.
 * - A folder takes all below it: by a `/` or `/**` at the end, or when the last part has no
 *   wildcard (`docs/guide`).
 * - A URL is a path that begins with its scheme and host: `https://docs.example/guide/**`.
 * - Letters count in their case; a dot at the beginning of a name is a character like others.
 * - A path of more than 4,096 characters matches no pattern.
 *
 * Classes `[a-z]`, `!(a|b)` and its kin, `\` escapes and a leading `!` are refused with a sentence.
 */
export type PathMatcher = (path: string) => boolean;

/** @throws RangeError with the sentence of {@link validateGlob}. */
export function compileGlob(pattern: string): PathMatcher {
  return compileGlobs([pattern]);
}

/**
 * Returns a matcher of paths that any of the patterns matches. @throws RangeError as
 * {@link compileGlob}.
 */
export function compileGlobs(patterns: readonly string[]): PathMatcher {
  const list = new GlobList(patterns);
  return (path) => list.matches(path);
}

/** Paths that any include pattern matches (all, when there is none) and no exclude pattern does. */
export function selectPaths(include: readonly string[], exclude: readonly string[]): PathMatcher {
  const wanted = new GlobList(include);
  const unwanted = new GlobList(exclude);
  return (path) => (wanted.isEmpty || wanted.matches(path)) && !unwanted.matches(path);
}
