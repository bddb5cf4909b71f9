import { StageFailure } from '#contracts';

import { fetchRef, type GitFetchOptions, tooLarge } from './fetch-ref.js';
import { fileAccess, type GitAccess } from './git-access.js';
import { GitCache } from './git-cache.js';
import { runGit } from './git-process.js';
import { type GitEntry, type GitTree, GitTreeLimitError } from './git-tree.js';
import { listGitTree } from './list-git-tree.js';
import { type GitBlob, readBlobs } from './read-blobs.js';
import { type GitHead, type ResolvedGitHead, resolveGitHead } from './resolve-git-head.js';

export interface GitSnapshotOptions extends GitFetchOptions {
  /** Scratch folder of this source alone; the bare repository is kept in it between syncs. */
  readonly directory: string;
  /**
   * Where the remote stands, when that was asked a moment ago with the same options. Asked for when
   * absent.
   */
  readonly head?: ResolvedGitHead | undefined;
  readonly limits: {
    /**
     * Files larger than this (bytes) are listed as `tooLarge` and never fetched where the server
     * can leave them out.
     */
    readonly maxFileBytes: number;
    /**
     * Most bytes of all readable files together, and about what the repository may take on disk.
     */
    readonly maxSourceBytes: number;
    /** Most files of the commit, whatever is selected of them. */
    readonly maxSourceFiles: number;
  };
}

/** The files of one commit. */
export interface GitSnapshot {
  /** null: the repository is empty. */
  readonly commit: string | null;
  readonly defaultBranch: string | null;
  /** Regular files in path order. */
  readonly entries: readonly GitEntry[];
  readonly symlinks: number;
  readonly submodules: number;
  /** Streams blobs in the order asked. Read at the consumer's pace; stop early and git is ended. */
  read(oids: readonly string[]): AsyncIterable<GitBlob>;
  /** Ends every reading. The repository stays for the next sync. */
  close(): Promise<void>;
}

/**
 * Fetches what a branch, tag or commit id names, one commit deep, into a bare repository without
 * checking anything out.
 *
 * @throws StageFailure: not retryable for what a person must mend (URL, credentials, branch, size),
 * retryable for the network. The signal's reason when aborted.
 */
export async function openGitSnapshot(options: GitSnapshotOptions): Promise<GitSnapshot> {
  const head = options.head ?? (await resolveGitHead(options));
  const access = await accessNow(head.access, options);
  if (head.commit === null) return new OpenSnapshot(null, head.defaultBranch, EMPTY_TREE, options);
  const cache = new GitCache(options.directory, access, options.limits.maxFileBytes);
  const kept = (await cache.isUsable()) ? await tryOpen(cache, access, head, options) : undefined;
  const { commit, tree } = kept ?? (await openAnew(cache, access, head, options));
  requireSize(access.url, tree, options.limits.maxSourceBytes);
  return new OpenSnapshot(commit, head.defaultBranch, tree, options);
}

/**
 * Links and folders of this machine may have changed since the head was asked for; the rest is
 * pinned by then.
 */
async function accessNow(access: GitAccess, { fileUrls }: GitSnapshotOptions): Promise<GitAccess> {
  return access.transport === 'file' ? fileAccess({ href: access.url }, fileUrls) : access;
}

const EMPTY_TREE: GitTree = { entries: [], symlinks: 0, submodules: 0 };

interface Opened {
  readonly commit: string;
  readonly tree: GitTree;
}

/**
 * Brings a kept repository up to date. Undefined when it does not work for any reason but the
 * remote or an abort.
 */
async function tryOpen(
  cache: GitCache,
  access: GitAccess,
  head: GitHead,
  options: GitSnapshotOptions,
): Promise<Opened | undefined> {
  try {
    if ((await cache.fetched()) !== head.object) {
      await cache.unseal();
      await fetchRef(cache, access, head.ref, options);
    }
    const opened = await openTree(cache, head, options);
    await cache.seal();
    return opened;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof GitTreeLimitError) throw error;
    return undefined;
  }
}

async function openAnew(
  cache: GitCache,
  access: GitAccess,
  head: GitHead,
  options: GitSnapshotOptions,
): Promise<Opened> {
  try {
    await cache.create();
    await fetchRef(cache, access, head.ref, options);
    const opened = await openTree(cache, head, options);
    await cache.seal();
    return opened;
  } catch (error) {
    await cache.remove();
    throw error;
  }
}

async function openTree(
  cache: GitCache,
  head: GitHead,
  options: GitSnapshotOptions,
): Promise<Opened> {
  const fetched = await cache.fetched();
  const commit =
    fetched !== null && head.ref.startsWith('refs/tags/')
      ? await commitOf(fetched, cache, head, options)
      : fetched;
  const tree =
    commit === null ? null : await listGitTree(commit, { ...options, directory: cache.directory });
  if (commit === null || tree === null) {
    throw new StageFailure('The fetched repository cannot be read', true, { url: options.url });
  }
  return { commit, tree };
}

/** What a tag stands for, which may be a tag again. */
async function commitOf(
  tag: string,
  cache: GitCache,
  { ref }: GitHead,
  options: GitSnapshotOptions,
): Promise<string> {
  const { url, signal, timeoutMs, start } = options;
  const { code, stdout } = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${tag}^{commit}`],
    {
      cwd: cache.directory,
      signal,
      start,
      timeoutMs: Math.min(timeoutMs, 60_000),
      environment: { GIT_DIR: cache.directory },
    },
  );
  if (code === 0) return stdout.toString('latin1').trim();
  throw new StageFailure(
    `The tag "${ref.slice('refs/tags/'.length)}" of ${url} names no commit`,
    false,
    { url },
  );
}

function requireSize(url: string, tree: GitTree, maxSourceBytes: number): void {
  const total = tree.entries.reduce(
    (sum, entry) => sum + (entry.tooLarge === true ? 0 : (entry.size ?? 0)),
    0,
  );
  if (total > maxSourceBytes) throw tooLarge(url, maxSourceBytes);
}

class OpenSnapshot implements GitSnapshot {
  readonly entries: readonly GitEntry[];
  readonly symlinks: number;
  readonly submodules: number;
  private readonly closing = new AbortController();

  constructor(
    readonly commit: string | null,
    readonly defaultBranch: string | null,
    tree: GitTree,
    private readonly options: GitSnapshotOptions,
  ) {
    this.entries = tree.entries;
    this.symlinks = tree.symlinks;
    this.submodules = tree.submodules;
  }

  read(oids: readonly string[]): AsyncIterable<GitBlob> {
    const { signal, directory, timeoutMs, start } = this.options;
    return readBlobs(oids, {
      directory,
      signal:
        signal === undefined ? this.closing.signal : AbortSignal.any([signal, this.closing.signal]),
      idleMs: Math.min(timeoutMs, 60_000),
      start,
    });
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The snapshot was closed'));
  }
}
