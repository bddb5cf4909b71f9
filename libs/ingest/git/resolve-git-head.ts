import { StageFailure } from '#contracts';

import { openGitAccess, type GitAccess, type GitRemoteOptions } from './git-access.js';
import { gitFailure, gitTimeout } from './git-failure.js';
import { runGit } from './git-process.js';

export interface GitHead {
  /** Commit that the branch points to; null in an empty repository. */
  readonly commit: string | null;
  /** What the remote's HEAD points to; null when it does not say. */
  readonly defaultBranch: string | null;
}

/** A head with the remote as it was checked for it: who fetches at once need not check and ask again. */
export interface ResolvedGitHead extends GitHead {
  readonly access: GitAccess;
}

export interface GitHeadOptions extends GitRemoteOptions {
  /** The remote's default branch when absent. */
  readonly branch?: string | undefined;
}

/**
 * Asks the remote where a branch stands, without fetching anything.
 *
 * @throws StageFailure: not retryable where the URL, the credentials or the branch are wrong.
 */
export async function resolveGitHead(options: GitHeadOptions): Promise<ResolvedGitHead> {
  const access = await openGitAccess(options);
  return { ...(await headOf(access, options)), access };
}

async function headOf(access: GitAccess, options: GitHeadOptions): Promise<GitHead> {
  if (options.branch !== undefined && !isBranchName(options.branch)) {
    throw new StageFailure(`"${options.branch.slice(0, 100)}" is not a branch name`, false, { url: access.url });
  }
  const wanted = options.branch === undefined ? [] : [`refs/heads/${options.branch}`];
  const asked = await listRemote(access, options, ['HEAD', ...wanted]);
  const commit = asked.refs.get(wanted[0] ?? 'HEAD');
  if (commit !== undefined) return { commit, defaultBranch: asked.defaultBranch };
  const heads = await listRemote(access, options, ['HEAD', 'refs/heads/*']);
  if (heads.refs.size === 0) return { commit: null, defaultBranch: heads.defaultBranch };
  throw noSuchBranch(access.url, options.branch, heads);
}

/** Longest wait for a remote's list of references, milliseconds. */
const ASK_MS = 60_000;

interface RemoteRefs {
  readonly refs: ReadonlyMap<string, string>;
  readonly defaultBranch: string | null;
}

async function listRemote(
  access: GitAccess,
  options: GitHeadOptions,
  patterns: readonly string[],
): Promise<RemoteRefs> {
  const outcome = await runGit(['ls-remote', '--symref', ...access.parameters, '--', access.href, ...patterns], {
    transport: access.transport,
    config: access.config,
    environment: access.environment,
    signal: options.signal,
    timeoutMs: Math.min(options.timeoutMs, ASK_MS),
    maxOutput: 32 * 1024 * 1024,
  });
  if (outcome.timedOut) throw gitTimeout(access.url, Math.min(options.timeoutMs, ASK_MS));
  if (outcome.code !== 0) throw gitFailure(access.url, outcome.stderr);
  const refs = new Map<string, string>();
  let defaultBranch: string | null = null;
  for (const line of outcome.stdout.toString('utf8').split('\n')) {
    const [value, name] = line.split('\t');
    if (value === undefined || name === undefined) continue;
    const symbolic = /^ref: refs\/heads\/(.+)$/.exec(value)?.[1];
    if (symbolic !== undefined && name === 'HEAD') defaultBranch = symbolic;
    else if (/^[0-9a-f]{40,64}$/.test(value)) refs.set(name, value);
  }
  return { refs, defaultBranch };
}

const MAX_NAMED = 5;

function noSuchBranch(url: string, branch: string | undefined, heads: RemoteRefs): StageFailure {
  const branches = [...heads.refs.keys()].flatMap((name) => (name.startsWith('refs/heads/') ? [name.slice(11)] : []));
  const named = branches.slice(0, MAX_NAMED).join(', ');
  const known =
    heads.defaultBranch !== null && heads.refs.has('HEAD')
      ? `its default branch is "${heads.defaultBranch}"`
      : `it has no default branch, but ${named}${branches.length > MAX_NAMED ? ', …' : ''}`;
  const message =
    branch === undefined
      ? `${url} names no default branch; choose one of ${named}`
      : `${url} has no branch "${branch}"; ${known}`;
  return new StageFailure(message, false, { url, default_branch: heads.defaultBranch });
}

/** The rules of `git check-ref-format --branch`, and no `*` that a pattern would take as its own. */
export function isBranchName(name: string): boolean {
  if (name === '' || name.length > 250 || name === '@' || name === 'HEAD') return false;
  if (/[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\.lock(?:\/|$)|\/\./u.test(name)) return false;
  return name.isWellFormed();
}
