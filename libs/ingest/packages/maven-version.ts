/**
 * Words of a version that come before the release, in their order; `ga`, `final` and `release` are
 * the release.
 */
const BEFORE = ['alpha', 'beta', 'milestone', 'rc', 'snapshot'];
const ALIASES: Readonly<Record<string, string>> = {
  a: 'alpha',
  b: 'beta',
  m: 'milestone',
  cr: 'rc',
};
const RELEASE = ['', 'ga', 'final', 'release'];
/** Common names of versions that are not released yet. */
const UNRELEASED =
  /(?:^|[.\-_\d])(?:alpha|beta|milestone|rc|cr|snapshot|preview|pre|ea|dev|a|b|m)(?=$|[.\-_\d])/i;

/** Returns whether a version's own name places it before its release. */
export function isMavenPreRelease(version: string): boolean {
  return UNRELEASED.test(version);
}

/**
 * Compares versions in Maven's order, as `ComparableVersion` does for published versions. Below 0
 * where `a` comes first.
 */
export function compareMavenVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const order = compareParts(left[at], right[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * Returns numbers and words, separated by `.`, `-`, `_` and each change between digits and letters.
 * Zeros and release words at the end have no meaning.
 */
function partsOf(version: string): (number | string)[] {
  const words = version.toLowerCase().match(/\d+|[a-z]+/g) ?? [];
  const parts: (number | string)[] = [];
  for (const word of words) {
    if (!/\d/.test(word)) dropEmpty(parts);
    parts.push(/\d/.test(word) ? Number(word) : (ALIASES[word] ?? word));
  }
  dropEmpty(parts);
  return parts;
}

function dropEmpty(parts: (number | string)[]): void {
  while (parts.length > 0 && (parts.at(-1) === 0 || RELEASE.includes(String(parts.at(-1)))))
    parts.pop();
}

function compareParts(a: number | string | undefined, b: number | string | undefined): number {
  if (typeof a === 'number' || typeof b === 'number') return rankOf(a) - rankOf(b);
  const [left, right] = [wordRank(a ?? ''), wordRank(b ?? '')];
  return left - right || (a ?? '').localeCompare(b ?? '', 'en');
}

/** Returns the rank of a part: a missing part is 0, and any word is below any number. */
function rankOf(part: number | string | undefined): number {
  return typeof part === 'string' ? -1 : (part ?? 0);
}

/** Returns the rank of a word: below 0 before the release, 0 for the release, above 0 after it. */
function wordRank(word: string): number {
  if (RELEASE.includes(word)) return 0;
  const before = BEFORE.indexOf(word);
  return before === -1 ? 1 : before - BEFORE.length;
}
