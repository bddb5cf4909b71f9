export interface GitVersion {
  /** Version such as `2.39.5`; null if git is not installed or does not respond. */
  readonly version: string | null;
  /** Sentence for the operator; null if this git is safe for foreign repositories. */
  readonly problem: string | null;
}

/**
 * First patch of each release line without the vulnerabilities of 2024 and 2025 that a foreign
 * repository could exploit. These are CVE-2024-32002, -32004, -32020, -32021, CVE-2025-48384 and
 * -48385. Debian 12 maintains 2.39.
 */
const SAFE_PATCH: Readonly<Record<number, number>> = {
  39: 5,
  43: 7,
  44: 4,
  45: 4,
  46: 4,
  47: 3,
  48: 2,
  49: 1,
  50: 1,
};
const NEWEST_LINE = 50;

/** Parses and evaluates text such as `git version 2.39.5 (Apple Git-154)`. */
export function judgeGitVersion(text: string): GitVersion {
  const [, major, minor, patch] = /(?<!\d)(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  if (major === undefined || minor === undefined)
    return { version: null, problem: `git says "${text.slice(0, 80)}"` };
  const version = `${major}.${minor}.${patch ?? '0'}`;
  const line = Number(major) > 2 ? Infinity : Number(major) < 2 ? 0 : Number(minor);
  const safe = line > NEWEST_LINE || Number(patch ?? 0) >= (SAFE_PATCH[line] ?? Infinity);
  const problem = `git ${version} has known holes that a repository can use; 2.39.5, 2.45.4 and 2.50.1 or later have not`;
  return { version, problem: safe ? null : problem };
}
