/**
 * Glob patterns over repository paths, matched in time linear in pattern × path: no pattern that anyone sends can hold
 * the process up, which is why this is neither a regular expression nor a general glob library.
 *
 * - `*` any run of characters but `/`, `?` one of them, `**` as a whole part any number of folders, `{a,b}` either.
 * - No `/` in it (but at the end): it matches a file or a folder of that name at any depth. `*.md`, `node_modules`.
 * - A `/` in it: it is read from the root. `src/*.ts`, `/README.md`, `packages/*` + `/test/**`.
 * - A folder takes all below it: by a `/` or `/**` at the end, or when the last part has no wildcard (`docs/guide`).
 * - A URL is a path that begins with its scheme and host: `https://docs.example/guide/**`.
 * - Letters count in their case; a dot at the beginning of a name is a character like others.
 *
 * Classes `[a-z]`, `!(a|b)` and its kin, `\` escapes and a leading `!` are refused with a sentence.
 */
export type PathMatcher = (path: string) => boolean;

const MAX_PATTERN = 256;
const MAX_ALTERNATIVES = 64;
const DEEP = '**';

/** What is wrong with a pattern, as a sentence for people; null when it can be used. */
export function validateGlob(pattern: string): string | null {
  if (pattern.trim() === '') return 'must not be blank';
  if (pattern.length > MAX_PATTERN) return `must not be longer than ${MAX_PATTERN} characters`;
  if (/\p{Cc}/u.test(pattern) || !pattern.isWellFormed()) return 'must not contain control characters';
  if (pattern.includes('\\')) return 'must use / between folders; escapes with \\ are not supported';
  if (/[[\]]/.test(pattern)) return 'character classes such as [a-z] are not supported; use ? or {a,b}';
  if (/[?*+@!]\(/.test(pattern)) return 'extended globs such as !(a|b) are not supported; use {a,b}';
  if (pattern.startsWith('!')) return 'must not begin with !; put it into exclude_patterns instead';
  if (!bracesBalance(pattern)) return 'has a { or } without its other half';
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return `must not stand for more than ${MAX_ALTERNATIVES} alternatives`;
  const parts = alternatives.flatMap((alternative) => alternative.split('/'));
  if (parts.some((part) => part === '..' || part === '.')) return 'must not contain . or .. as a folder';
  if (alternatives.some((alternative) => alternative.replaceAll('/', '') === '')) return 'must name something';
  return null;
}

/** @throws RangeError with the sentence of {@link validateGlob}. */
export function compileGlob(pattern: string): PathMatcher {
  const problem = validateGlob(pattern);
  if (problem !== null) throw unusable(pattern, problem);
  const matchers = (expandBraces(pattern) ?? []).map(compileAlternative);
  return (path) => {
    const parts = namesOf(path);
    return matchers.some((matches) => matches(parts));
  };
}

/**
 * The last parts of the pattern's alternatives: `src/{a,b}.ts` → `a.ts`, `b.ts`. A pattern of a folder by `/` has an empty one.
 * @throws RangeError with the sentence of {@link validateGlob}.
 */
export function lastParts(pattern: string): readonly string[] {
  const problem = validateGlob(pattern);
  if (problem !== null) throw unusable(pattern, problem);
  return (expandBraces(pattern) ?? []).map((alternative) => alternative.slice(alternative.lastIndexOf('/') + 1));
}

/** Paths that any include pattern matches (all, when there is none) and no exclude pattern does. */
export function selectPaths(include: readonly string[], exclude: readonly string[]): PathMatcher {
  const wanted = include.map(compileGlob);
  const unwanted = exclude.map(compileGlob);
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}

function unusable(pattern: string, problem: string): RangeError {
  return new RangeError(`The pattern "${pattern.slice(0, MAX_PATTERN)}" ${problem}`);
}

/** What stands between the slashes; several beside each other, as after `https:`, are one. */
function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

/** The ways a path may match: as itself, and as a folder above it. */
function compileAlternative(pattern: string): (path: readonly string[]) => boolean {
  const folderOnly = pattern.endsWith('/');
  const inner = pattern.replace(/^\/+|\/+$/g, '');
  const anchored = pattern.startsWith('/') || inner.includes('/');
  const parts = namesOf(inner);
  const last = parts.at(-1) ?? '';
  const below = folderOnly || !anchored || !/[*?]/.test(last);
  const row = anchored ? parts : [DEEP, ...parts];
  return (path) => matchParts(row, path, { itself: !folderOnly, below });
}

/**
 * One row of booleans a pattern part: `reached[n]` tells whether the parts so far match the first n folders.
 * A final `**` wants at least one name below its folder.
 */
function matchParts(
  parts: readonly string[],
  path: readonly string[],
  ends: { readonly itself: boolean; readonly below: boolean },
): boolean {
  let reached: boolean[] = [true];
  parts.forEach((part, index) => {
    const next: boolean[] = new Array<boolean>(path.length + 1).fill(false);
    for (let at = 0; at <= path.length; at += 1) {
      if (part === DEEP) {
        const here = reached[at] === true && index < parts.length - 1;
        next[at] = here || (at > 0 && (next[at - 1] === true || reached[at - 1] === true));
      } else if (reached[at] === true && at < path.length) {
        next[at + 1] ||= matchName(part, path[at] ?? '');
      }
    }
    reached = next;
  });
  if (ends.itself && reached[path.length] === true) return true;
  return ends.below && reached.slice(0, path.length).includes(true);
}

/** `*` and `?` within one name. On a mismatch only the last star is widened: enough, as it may take any run. */
function matchName(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < name.length;) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at;
      at += 1;
      resume = index;
    } else if (wanted === '?' || wanted === name[index]) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

function bracesBalance(pattern: string): boolean {
  let depth = 0;
  for (const character of pattern) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Every alternative of the first braces, expanded on; undefined when there are too many. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    if (done.length + open.length > MAX_ALTERNATIVES) return undefined;
    const next = open.pop() ?? '';
    const start = next.indexOf('{');
    if (start === -1) {
      done.push(next);
      continue;
    }
    const { choices, end } = choicesAt(next, start);
    open.push(...choices.map((choice) => next.slice(0, start) + choice + next.slice(end + 1)));
  }
  return done;
}

/** The comma-separated choices of the brace at `start`, inner braces left as they are. */
function choicesAt(pattern: string, start: number): { readonly choices: readonly string[]; readonly end: number } {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    const ends = depth === 0;
    if (ends || (depth === 1 && character === ',')) {
      choices.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (ends) return { choices, end: at };
  }
  return { choices, end: pattern.length };
}
