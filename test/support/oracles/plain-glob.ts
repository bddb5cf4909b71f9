import { alternativesOf } from '#platform/patterns/glob-syntax';

const DEEP = '**';

/**
 * Matches globs a part and a name at a time, which is plain but costs pattern × path for each
 * alternative. Tests compare the matcher of the product with it.
 */
export function plainGlob(pattern: string): (path: string) => boolean {
  const matchers = alternativesOf(pattern).map(compileAlternative);
  return (path) => {
    const parts = namesOf(path);
    return matchers.some((matches) => matches(parts));
  };
}

/** The names between the slashes. */
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
 * One row of booleans per pattern part: `reached[n]` is true if the parts so far match the first n
 * folders. A final `**` needs at least one name below its folder.
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

/**
 * `*` and `?` within one name. On a mismatch only the last star is widened: enough, as it may take
 * any run.
 */
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
