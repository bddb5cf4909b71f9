import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StageFailure } from '#contracts';

import { fileAccess, type GitAccess } from './git-access.js';
import { FETCHED_REF, GitCache } from './git-cache.js';
import { gitFailure, gitTimeout } from './git-failure.js';
import { runGit } from './git-process.js';
import { GitTreeLimitError, type GitEntry, type GitTree } from './git-tree.js';
import { listGitTree } from './list-git-tree.js';
import { SLOW_TRANSFER, TransferFloor, type SlowTransfer } from './transfer-floor.js';
import { readBlobs, type GitBlob } from './read-blobs.js';
import { resolveGitHead, type GitHead, type GitHeadOptions, type ResolvedGitHead } from './resolve-git-head.js';

export interface GitSnapshotOptions extends GitHeadOptions {
  /** Scratch folder of this source alone; the bare repository is kept in it between syncs. */
  readonly directory: string;
  /** Where the remote stands, when that was asked a moment ago with the same options. Asked for when absent. */
  readonly head?: ResolvedGitHead | undefined;
  readonly limits: {
    /** Files larger than this (bytes) are listed as `tooLarge` and never fetched where the server can leave them out. */
    readonly maxFileBytes: number;
    /** Most bytes of all readable files together, and about what the repository may take on disk. */
    readonly maxSourceBytes: number;
    /** Most files of the commit, whatever is selected of them. */
    readonly maxSourceFiles: number;
  };
  /** A transfer that stays slower is ended. Default: under 1,000 bytes/s for 15 s. */
  readonly slowTransfer?: SlowTransfer | undefined;
  /** Told about git's own progress (`Receiving objects:  42%`), at most a few times a second. */
  readonly onProgress?: (message: string) => void;
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
 * Fetches what a branch, tag or commit id names, one commit deep, into a bare repository without checking anything out.
 *
 * @throws StageFailure: not retryable for what a person must mend (URL, credentials, branch, size), retryable for the
 *   network. The signal's reason when aborted.
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

/** Links and folders of this machine may have changed since the head was asked for; the rest is pinned by then. */
async function accessNow(access: GitAccess, { fileUrls }: GitSnapshotOptions): Promise<GitAccess> {
  return access.transport === 'file' ? fileAccess({ href: access.url }, fileUrls) : access;
}

const EMPTY_TREE: GitTree = { entries: [], symlinks: 0, submodules: 0 };

interface Opened {
  readonly commit: string;
  readonly tree: GitTree;
}

/** Brings a kept repository up to date. Undefined when it does not work for any reason but the remote or an abort. */
async function tryOpen(
  cache: GitCache,
  access: GitAccess,
  head: GitHead,
  options: GitSnapshotOptions,
): Promise<Opened | undefined> {
  try {
    if ((await cache.fetched()) !== head.object) {
      await cache.unseal();
      await fetch(cache, access, head, options);
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
    await fetch(cache, access, head, options);
    const opened = await openTree(cache, head, options);
    await cache.seal();
    return opened;
  } catch (error) {
    await cache.remove();
    throw error;
  }
}

async function fetch(cache: GitCache, access: GitAccess, { ref }: GitHead, options: GitSnapshotOptions): Promise<void> {
  const global = `${cache.directory}/server.config`;
  await cache.writeConfig(true);
  const { slowTransfer = SLOW_TRANSFER, onProgress } = options;
  // What curl carries, curl watches.
  const floor = access.transport === 'ssh' ? new TransferFloor(slowTransfer) : undefined;
  const watch = watchSize(cache, options, floor);
  const report = onProgress && progressLines(onProgress);
  try {
    if (access.transport === 'file') await writeFile(global, trustedFolder(access.href));
    const outcome = await runGit(
      [
        'fetch',
        '--depth=1',
        '--no-tags',
        '--no-write-fetch-head',
        '--no-recurse-submodules',
        '--progress',
        ...access.parameters,
        ...(cache.isPartial ? [`--filter=${cache.filter}`] : []),
        'origin',
        `+${ref}:${FETCHED_REF}`,
      ],
      {
        cwd: cache.directory,
        transport: access.transport,
        config: [
          ...access.config,
          `http.lowSpeedLimit=${slowTransfer.bytesPerSecond}`,
          `http.lowSpeedTime=${slowTransfer.seconds}`,
        ],
        environment: { ...access.environment, ...(access.transport === 'file' ? { GIT_CONFIG_GLOBAL: global } : {}) },
        signal: watch.signal,
        start: options.start,
        timeoutMs: options.timeoutMs,
        maxFileSize: diskLimit(options),
        onStderr: (text) => {
          if (AT_WORK.test(text)) floor?.atWork();
          report?.(text);
        },
      },
    );
    if (outcome.timedOut) throw gitTimeout(access.url, options.timeoutMs);
    if (watch.tooSlow() || TOO_SLOW.test(outcome.stderr)) throw transferTooSlow(access.url, slowTransfer);
    if (outcome.code !== 0 && !ref.startsWith('refs/') && NOT_HANDED_OUT.test(outcome.stderr)) {
      throw noSuchCommit(access.url, ref);
    }
    if (outcome.code !== 0) throw gitFailure(access, outcome.stderr);
  } catch (error) {
    if (watch.exceeded()) throw tooLarge(access.url, options.limits.maxSourceBytes);
    if (watch.tooSlow()) throw transferTooSlow(access.url, slowTransfer);
    throw error;
  } finally {
    watch.stop();
    await cache.writeConfig(false);
    await rm(global, { force: true });
  }
}

/**
 * git refuses to serve a folder of another user unless it is named. `file://` sources are the operator's decision, and
 * serving reads only; this names the one folder.
 */
function trustedFolder(href: string): string {
  const folder = fileURLToPath(href);
  const folders = [folder, dirname(folder)];
  return `[safe]\n${folders.map((each) => `\tdirectory = "${each.replace(/["\\]/g, '\\$&')}"\n`).join('')}`;
}

async function openTree(cache: GitCache, head: GitHead, options: GitSnapshotOptions): Promise<Opened> {
  const fetched = await cache.fetched();
  const commit =
    fetched !== null && head.ref.startsWith('refs/tags/') ? await commitOf(fetched, cache, head, options) : fetched;
  const tree = commit === null ? null : await listGitTree(commit, { ...options, directory: cache.directory });
  if (commit === null || tree === null) {
    throw new StageFailure('The fetched repository cannot be read', true, { url: options.url });
  }
  return { commit, tree };
}

/** What a tag stands for, which may be a tag again. */
async function commitOf(tag: string, cache: GitCache, { ref }: GitHead, options: GitSnapshotOptions): Promise<string> {
  const { url, signal, timeoutMs, start } = options;
  const { code, stdout } = await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${tag}^{commit}`], {
    cwd: cache.directory,
    signal,
    start,
    timeoutMs: Math.min(timeoutMs, 60_000),
    environment: { GIT_DIR: cache.directory },
  });
  if (code === 0) return stdout.toString('latin1').trim();
  throw new StageFailure(`The tag "${ref.slice('refs/tags/'.length)}" of ${url} names no commit`, false, { url });
}

function noSuchCommit(url: string, commit: string): StageFailure {
  return new StageFailure(
    `${url} has no commit ${commit}, or its host does not hand out commits by their id; name a branch or a tag instead`,
    false,
    { url },
  );
}

/** How servers refuse an object that no branch or tag names. */
const NOT_HANDED_OUT = /not our ref|unadvertised object/i;

function requireSize(url: string, tree: GitTree, maxSourceBytes: number): void {
  const total = tree.entries.reduce((sum, entry) => sum + (entry.tooLarge === true ? 0 : (entry.size ?? 0)), 0);
  if (total > maxSourceBytes) throw tooLarge(url, maxSourceBytes);
}

function tooLarge(url: string, maxSourceBytes: number): StageFailure {
  return new StageFailure(`${url} is larger than MAX_SOURCE_BYTES (${maxSourceBytes}) allows`, false, { url });
}

function transferTooSlow(url: string, { bytesPerSecond, seconds }: SlowTransfer): StageFailure {
  return new StageFailure(
    `${url} sent less than ${bytesPerSecond} bytes a second for ${seconds} s (FETCH_MIN_BYTES_PER_SECOND)`,
    true,
    { url },
  );
}

/** How curl says so. */
const TOO_SLOW = /Operation too slow/i;
/** Progress of either side that no bytes need come with. */
const AT_WORK = /remote: |Resolving deltas|Checking /;

/** Packs are compressed, but a first one may lie beside a second for a moment. */
function diskLimit(options: GitSnapshotOptions): number {
  return options.limits.maxSourceBytes * 2 + 64 * 1024 * 1024;
}

const WATCH_MS = 1_000;

/** Aborts a fetch that fills the disk beyond what the source may have, or does so too slowly. */
function watchSize(
  cache: GitCache,
  options: GitSnapshotOptions,
  floor: TransferFloor | undefined,
): { readonly signal: AbortSignal; exceeded(): boolean; tooSlow(): boolean; stop(): void } {
  const controller = new AbortController();
  let measuring = false;
  let exceeded = false;
  let tooSlow = false;
  const timer = setInterval(() => {
    if (measuring) return;
    measuring = true;
    void cache.size().then((size) => {
      measuring = false;
      exceeded = size > diskLimit(options);
      tooSlow = floor?.isTooSlow(performance.now(), size) ?? false;
      if (!exceeded && !tooSlow) return;
      controller.abort();
    });
  }, WATCH_MS);
  const signal =
    options.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, options.signal]);
  return { signal, exceeded: () => exceeded, tooSlow: () => tooSlow, stop: () => clearInterval(timer) };
}

const REPORT_MS = 250;

/** git overwrites its progress line by `\r`; the last whole one of a write is passed on, a few times a second. */
function progressLines(report: (message: string) => void): (text: string) => void {
  let reported = -Infinity;
  return (text) => {
    const line = text.split(/[\r\n]/).findLast((part) => /\d+%/.test(part));
    if (line === undefined || performance.now() - reported < REPORT_MS) return;
    reported = performance.now();
    report(
      line
        .replace(/^remote: /, '')
        .trim()
        .slice(0, 200),
    );
  };
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
      signal: signal === undefined ? this.closing.signal : AbortSignal.any([signal, this.closing.signal]),
      idleMs: Math.min(timeoutMs, 60_000),
      start,
    });
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The snapshot was closed'));
  }
}
