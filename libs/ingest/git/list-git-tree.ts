import type { StartProcess } from '#platform';

import { gitTimeout } from './git-failure.js';
import { runGit } from './git-process.js';
import { type GitTree, type GitTreeLimits, GitTreeReader } from './git-tree.js';

export interface ListGitTreeOptions {
  /** URL that errors use to name the source. */
  readonly url: string;
  /** Folder of the bare repository. */
  readonly directory: string;
  readonly limits: GitTreeLimits;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly start?: StartProcess | undefined;
}

/**
 * Lists a commit's tree at git's pace, and kills git at the first entry beyond the limits. Folders
 * are listed too, because git would otherwise walk trees without files silently.
 *
 * @returns null if git cannot read the repository.
 * @throws GitTreeLimitError; StageFailure (retryable) after the deadline; the signal's reason when
 * aborted.
 */
export async function listGitTree(
  commit: string,
  options: ListGitTreeOptions,
): Promise<GitTree | null> {
  const { url, directory, limits, signal, timeoutMs, start } = options;
  const reader = new GitTreeReader(url, limits);
  const { code, timedOut } = await runGit(
    ['ls-tree', '-r', '-t', '-l', '-z', '--full-tree', commit],
    {
      cwd: directory,
      signal,
      timeoutMs,
      start,
      onStdout: (data) => reader.push(data),
      environment: { GIT_DIR: directory },
    },
  );
  if (timedOut) throw gitTimeout(url, timeoutMs);
  return code === 0 ? reader : null;
}
