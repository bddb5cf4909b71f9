import { StageFailure } from '#contracts';

import { fetchRef, type GitFetchOptions, tooLarge } from './fetch-ref.js';
import { fileAccess, type GitAccess, openGitAccess } from './git-access.js';
import { GitCache } from './git-cache.js';
import { runGit } from './git-process.js';
import { type GitEntry, type GitTree, GitTreeLimitError } from './git-tree.js';
import { listGitTree } from './list-git-tree.js';
import { type GitBlob, readBlobs } from './read-blobs.js';
import { type GitHead, refsOf, type ResolvedGitHead, resolveGitHead } from './resolve-git-head.js';

export interface GitSnapshotOptions extends GitFetchOptions {
  /** Scratch folder of this source only. It caches the bare repository between syncs. */
  readonly directory: string;
  /**
   * Head of the remote, if the caller resolved it a moment ago with the same options. The default
   * is to resolve it.
   */
  readonly head?: ResolvedGitHead | undefined;
  /**
   * Fetches the branch at once, which spares one request to the remote. The remote is still asked
   * if it has no such branch, or if an earlier sync left its repository here. Default: false.
   */
  readonly isUnresolved?: boolean | undefined;
  readonly limits: {
    /**
     * Maximum bytes of a file. Larger files are listed as `tooLarge`, and never fetched if the
     * server can omit them.
     */
    readonly maxFileBytes: number;
    /**
     * Maximum bytes of all readable files together, and the approximate disk limit of the
     * repository.
     */
    readonly maxSourceBytes: number;
    /** Maximum number of files in the commit, whatever is selected of them. */
    readonly maxSourceFiles: number;
  };
}

/** Files of one commit. */
export interface GitSnapshot {
  /** Null if the repository is empty. */
  readonly commit: string | null;
  /** Branch that the remote's HEAD points to; null if it was not asked or does not report it. */
  readonly defaultBranch: string | null;
  /** Regular files in path order. */
  readonly entries: readonly GitEntry[];
  readonly symlinks: number;
  readonly submodules: number;
  /**
   * Streams blobs in the requested order, at the consumer's pace. git ends when the consumer stops
   * early.
   */
  read(oids: readonly string[]): AsyncIterable<GitBlob>;
  /** Ends every read. The repository remains for the next sync. */
  close(): Promise<void>;
}

/**
 * Fetches the commit that a branch, tag or commit ID names. The fetch is one commit deep, into a
 * bare repository, without a checkout.
 *
 * @throws StageFailure: not retryable if a person must correct the URL, credentials, branch or
 * size; retryable for network failures. The signal's reason when aborted.
 */
export async function openGitSnapshot(options: GitSnapshotOptions): Promise<GitSnapshot> {
  const fetched = options.isUnresolved === true ? await openUnresolved(options) : undefined;
  if (fetched) return fetched;
  const head = options.head ?? (await resolveGitHead(options));
  const access = await accessNow(head.access, options);
  if (head.commit === null) return new OpenSnapshot(null, head.defaultBranch, EMPTY_TREE, options);
  const cache = new GitCache(options.directory, access, options.limits.maxFileBytes);
  const kept = (await cache.isUsable()) ? await tryOpen(cache, access, head, options) : undefined;
  const opened = kept ?? (await openAnew(cache, access, head.ref, options));
  if (!opened) throw refGone(access.url, head.ref);
  const { commit, tree } = opened;
  requireSize(access.url, tree, options.limits.maxSourceBytes);
  return new OpenSnapshot(commit, head.defaultBranch, tree, options);
}

/** Fetches the most likely ref. Returns undefined if the remote must be asked what to fetch. */
async function openUnresolved(options: GitSnapshotOptions): Promise<GitSnapshot | undefined> {
  const access = await openGitAccess(options);
  const [ref] = refsOf(access, options);
  const cache = new GitCache(options.directory, access, options.limits.maxFileBytes);
  if (await cache.isUsable()) return undefined;
  const opened = await openAnew(cache, access, ref, options);
  if (!opened) return undefined;
  requireSize(access.url, opened.tree, options.limits.maxSourceBytes);
  return new OpenSnapshot(opened.commit, null, opened.tree, options);
}

/**
 * Returns the access to use now. Local links and folders may have changed since the head was
 * resolved; everything else is already pinned.
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
 * Updates a cached repository. Returns undefined on any failure except an abort or a tree over its
 * limits; the caller then fetches the repository again.
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
      if (!(await fetchRef(cache, access, head.ref, options))) return undefined;
    }
    const opened = await openTree(cache, head.ref, options);
    await cache.seal();
    return opened;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof GitTreeLimitError) throw error;
    return undefined;
  }
}

/** Fetches into an empty repository. Returns undefined if the remote has no such ref. */
async function openAnew(
  cache: GitCache,
  access: GitAccess,
  ref: string,
  options: GitSnapshotOptions,
): Promise<Opened | undefined> {
  try {
    await cache.create();
    if (!(await fetchRef(cache, access, ref, options))) {
      await cache.remove();
      return undefined;
    }
    const opened = await openTree(cache, ref, options);
    await cache.seal();
    return opened;
  } catch (error) {
    await cache.remove();
    throw error;
  }
}

/** Returns the failure of a fetch whose ref the remote had a moment ago; a retry asks again. */
function refGone(url: string, ref: string): StageFailure {
  return new StageFailure(`${url} has no ${ref} any more`, true, { url });
}

async function openTree(
  cache: GitCache,
  ref: string,
  options: GitSnapshotOptions,
): Promise<Opened> {
  const fetched = await cache.fetched();
  const commit =
    fetched !== null && ref.startsWith('refs/tags/')
      ? await commitOf(fetched, cache, ref, options)
      : fetched;
  const tree =
    commit === null ? null : await listGitTree(commit, { ...options, directory: cache.directory });
  if (commit === null || tree === null) {
    throw new StageFailure('The fetched repository cannot be read', true, { url: options.url });
  }
  return { commit, tree };
}

/** Returns the commit that a tag names, directly or through further tags. */
async function commitOf(
  tag: string,
  cache: GitCache,
  ref: string,
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
