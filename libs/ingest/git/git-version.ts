export interface GitVersion {
  /** `2.39.5`; null when git is not installed or does not answer. */
  readonly version: string | null;
  /** A sentence for the operator; null when this git may be used on foreign repositories. */
  readonly problem: string | null;
}

/**
 * First patch of each line without the holes of 2024 and 2025 that a foreign repository could use
 * (CVE-2024-32002, -32004, -32020, -32021, CVE-2025-48384, -48385). 2.39 is the line that Debian 12
 * maintains.
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

/** Reads `git version 2.39.5 (Apple Git-154)`. */
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
