import { existsSync } from 'node:fs';

import { StageFailure } from '#contracts';
import type { StartedProcess, StartProcess } from '#platform';
import { ProcessLostError, startHere } from '#platform/process/started-process';

import type { GitTransport } from '../git-url/git-url.js';

export interface GitProcessOptions {
  readonly cwd?: string;
  /** Transport that git may use; none for commands on the local repository. */
  readonly transport?: GitTransport;
  readonly environment?: Readonly<Record<string, string>>;
  /** `-c` settings in addition to the hardening ones, as `key=value`. */
  readonly config?: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which git's whole process group is killed. */
  readonly timeoutMs: number;
  /** Maximum size of a file that git may write, bytes; enforced where `prlimit` exists. */
  readonly maxFileSize?: number;
  /** Starter of the process. Default: this process, which a large process should avoid. */
  readonly start?: StartProcess | undefined;
}

export interface GitOutcome {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/**
 * Fixed path, so that neither the service's environment nor its working directory selects the git
 * that runs.
 */
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin';
const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));
const MAX_STDERR = 16 * 1024;

/** Settings that prevent a hostile repository or server from running or reaching anything. */
const HARDENING = [
  'protocol.allow=never',
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=15',
  'core.hooksPath=/dev/null',
  'core.symlinks=false',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'credential.helper=',
  'gc.auto=0',
  'maintenance.auto=false',
  'transfer.fsckObjects=true',
  // Harmless defects of old histories; everything dangerous remains an error.
  'fetch.fsck.zeroPaddedFilemode=ignore',
  'fetch.fsck.badTimezone=ignore',
  'fetch.fsck.missingSpaceBeforeDate=ignore',
];

/** Starts git in its own process group with a clean environment. */
export function startGit(
  parameters: readonly string[],
  options: GitProcessOptions,
): StartedProcess {
  const transport = options.transport;
  const settings = [
    ...HARDENING,
    ...(transport ? [`protocol.${transport}.allow=always`] : []),
    ...(options.config ?? []),
  ];
  const words = ['git', ...settings.flatMap((setting) => ['-c', setting]), ...parameters];
  const limits = PRLIMIT === undefined ? [] : [PRLIMIT, ...processLimits(options), '--'];
  const [command = 'git', ...rest] = [...limits, ...words];
  const { start = startHere } = options;
  return start(command, rest, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: {
      PATH: SEARCH_PATH,
      HOME: '/nonexistent',
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '/bin/true',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_ALLOW_PROTOCOL: transport ?? 'none',
      ...options.environment,
    },
  });
}

function processLimits(options: GitProcessOptions): string[] {
  const cpuSeconds = Math.ceil(options.timeoutMs / 1_000) * 2;
  const size =
    options.maxFileSize === undefined ? [] : [`--fsize=${Math.ceil(options.maxFileSize)}`];
  return [`--cpu=${cpuSeconds}`, '--nofile=1024', ...size];
}

/**
 * Runs git and waits until it ends.
 *
 * @param maxOutput maximum bytes of standard output; a command that writes more is killed.
 * @param onStdout receives standard output as it arrives; none of it is stored. git is killed when
 * the callback throws.
 * @throws the signal's reason when aborted, the error of `onStdout`, or an error if git cannot
 * start.
 */
export async function runGit(
  parameters: readonly string[],
  options: GitProcessOptions & {
    readonly maxOutput?: number;
    readonly onStdout?: (data: Buffer) => void;
    readonly onStderr?: (text: string) => void;
  },
): Promise<GitOutcome> {
  options.signal?.throwIfAborted();
  const child = startGit(parameters, options);
  child.stdin.end();
  const output: Buffer[] = [];
  let size = 0;
  let stderr = '';
  let timedOut = false;
  let overflow = false;
  let refused: { readonly reason: unknown } | undefined;
  child.stdout.on('data', (data: Buffer) => {
    if (refused) return;
    if (options.onStdout) {
      try {
        return options.onStdout(data);
      } catch (reason) {
        refused = { reason };
        return child.kill();
      }
    }
    size += data.length;
    if (size > (options.maxOutput ?? 1024 * 1024)) {
      overflow = true;
      child.kill();
    } else output.push(data);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    options.onStderr?.(text);
    stderr = (stderr + text).slice(-MAX_STDERR);
  });
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill();
  }, options.timeoutMs);
  const abort = (): void => child.kill();
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    const { code } = await child.ended.catch((error: unknown) => {
      options.signal?.throwIfAborted();
      throw startFailure(error);
    });
    options.signal?.throwIfAborted();
    if (refused) throw refused.reason;
    if (code === EXEC_FAILED && /failed to execute git/.test(stderr)) throw gitMissing();
    if (overflow)
      throw new Error(
        `git ${parameters[0] ?? ''} answered more than ${options.maxOutput ?? 0} bytes`,
      );
    return { code, stdout: Buffer.concat(output), stderr, timedOut };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Exit code of prlimit if it cannot start git. */
const EXEC_FAILED = 127;

function startFailure(error: unknown): unknown {
  if (error instanceof ProcessLostError) {
    return new StageFailure('git was ended before it was done', true, null, { cause: error });
  }
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? gitMissing(error)
    : error;
}

function gitMissing(cause?: Error): StageFailure {
  return new StageFailure(
    'git is not installed on this server',
    false,
    null,
    cause === undefined ? {} : { cause },
  );
}
