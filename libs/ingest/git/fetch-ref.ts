import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StageFailure } from '#contracts';

import type { GitAccess } from './git-access.js';
import { FETCHED_REF, type GitCache } from './git-cache.js';
import { gitFailure, gitTimeout } from './git-failure.js';
import { runGit } from './git-process.js';
import { progressLines } from './progress-lines.js';
import type { GitHeadOptions } from './resolve-git-head.js';
import { SLOW_TRANSFER, type SlowTransfer, TransferFloor } from './transfer-floor.js';
import { watchTransfer } from './watch-transfer.js';

export interface GitFetchOptions extends GitHeadOptions {
  readonly limits: {
    /**
     * Maximum bytes of all readable files together, and the approximate disk limit of the
     * repository.
     */
    readonly maxSourceBytes: number;
  };
  /** Minimum speed; a slower transfer is ended. Default: under 1,000 bytes/s for 15 s. */
  readonly slowTransfer?: SlowTransfer | undefined;
  /** Receives git's own progress (`Receiving objects:  42%`), at most a few times a second. */
  readonly onProgress?: (message: string) => void;
}

/** Server messages that reject an object that no branch or tag names. */
const NOT_HANDED_OUT = /not our ref|unadvertised object/i;
/** Message of git if the remote has no ref of that name. */
const NO_SUCH_REF = /couldn't find remote ref/i;
/** Message of curl for a transfer that is too slow. */
const TOO_SLOW = /Operation too slow/i;
/** Progress of either side that can occur without incoming bytes. */
const AT_WORK = /remote: |Resolving deltas|Checking /;

/**
 * Fetches the object that a ref or a commit ID names, one commit deep, into the repository's {@link
 * FETCHED_REF}.
 *
 * @returns false if the remote has no such ref.
 * @throws StageFailure as `openGitSnapshot` does; the signal's reason when aborted.
 */
export async function fetchRef(
  cache: GitCache,
  access: GitAccess,
  ref: string,
  options: GitFetchOptions,
): Promise<boolean> {
  const global = `${cache.directory}/server.config`;
  await cache.writeConfig(true);
  const { slowTransfer = SLOW_TRANSFER, onProgress } = options;
  // curl checks the speed of its own transfers.
  const floor = access.transport === 'ssh' ? new TransferFloor(slowTransfer) : undefined;
  const limit = diskLimit(options);
  const watch = watchTransfer(cache, { limit, floor, signal: options.signal });
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
        environment: {
          ...access.environment,
          ...(access.transport === 'file' ? { GIT_CONFIG_GLOBAL: global } : {}),
        },
        signal: watch.signal,
        start: options.start,
        timeoutMs: options.timeoutMs,
        maxFileSize: limit,
        onStderr: (text) => {
          if (AT_WORK.test(text)) floor?.atWork();
          report?.(text);
        },
      },
    );
    if (outcome.timedOut) throw gitTimeout(access.url, options.timeoutMs);
    if (watch.tooSlow() || TOO_SLOW.test(outcome.stderr))
      throw transferTooSlow(access.url, slowTransfer);
    if (outcome.code !== 0 && !ref.startsWith('refs/') && NOT_HANDED_OUT.test(outcome.stderr)) {
      throw noSuchCommit(access.url, ref);
    }
    if (outcome.code !== 0 && NO_SUCH_REF.test(outcome.stderr)) return false;
    if (outcome.code !== 0) throw gitFailure(access, outcome.stderr);
    return true;
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

export function tooLarge(url: string, maxSourceBytes: number): StageFailure {
  return new StageFailure(
    `${url} is larger than MAX_SOURCE_BYTES (${maxSourceBytes}) allows`,
    false,
    { url, too_large: true },
  );
}

/**
 * Returns git configuration that trusts one folder. git does not serve a folder of another user
 * unless its configuration names it. The operator allows `file://` sources, and serving only reads.
 */
function trustedFolder(href: string): string {
  const folder = fileURLToPath(href);
  const folders = [folder, dirname(folder)];
  return `[safe]\n${folders.map((each) => `\tdirectory = "${each.replace(/["\\]/g, '\\$&')}"\n`).join('')}`;
}

/** Returns the disk limit. Packs are compressed, but two packs may exist for a moment. */
function diskLimit(options: GitFetchOptions): number {
  return options.limits.maxSourceBytes * 2 + 64 * 1024 * 1024;
}

function noSuchCommit(url: string, commit: string): StageFailure {
  return new StageFailure(
    `${url} has no commit ${commit}, or its host does not hand out commits by their id; name a branch or a tag instead`,
    false,
    { url },
  );
}

function transferTooSlow(url: string, { bytesPerSecond, seconds }: SlowTransfer): StageFailure {
  return new StageFailure(
    `${url} sent less than ${bytesPerSecond} bytes a second for ${seconds} s (FETCH_MIN_BYTES_PER_SECOND)`,
    true,
    { url },
  );
}
