import { StageFailure } from '#contracts';

import { type GitAccess, type GitRemoteOptions, openGitAccess } from './git-access.js';
import { gitFailure, gitTimeout } from './git-failure.js';
import { runGit } from './git-process.js';

export interface GitHead {
  /** Commit that the branch or tag points to; null in an empty repository. */
  readonly commit: string | null;
  /** What is asked of the remote: `HEAD`, `refs/heads/…`, `refs/tags/…` or a commit's id. */
  readonly ref: string;
  /**
   * What that names there: the commit itself, but for a tag with a message of its own. Null in an
   * empty repository.
   */
  readonly object: string | null;
  /** What the remote's HEAD points to; null when it does not say. */
  readonly defaultBranch: string | null;
}

/**
 * A head with the remote as it was checked for it: who fetches at once need not check and ask
 * again.
 */
export interface ResolvedGitHead extends GitHead {
  readonly access: GitAccess;
}

export interface GitHeadOptions extends GitRemoteOptions {
  /**
   * A branch, else a tag of that name, or a commit by its full id. The remote's default branch when
   * absent.
   */
  readonly branch?: string | undefined;
}

/**
 * Asks the remote where a branch or tag stands, without fetching anything. Whether it has a commit
 * that is named by its id, only a fetch tells.
 *
 * @throws StageFailure: not retryable where the URL, the credentials or the branch are wrong.
 */
export async function resolveGitHead(options: GitHeadOptions): Promise<ResolvedGitHead> {
  const access = await openGitAccess(options);
  return { ...(await headOf(access, options)), access };
}

async function headOf(access: GitAccess, options: GitHeadOptions): Promise<GitHead> {
  if (options.branch !== undefined && !isBranchName(options.branch)) {
    throw new StageFailure(`"${options.branch.slice(0, 100)}" is not a branch name`, false, {
      url: access.url,
    });
  }
  const { branch } = options;
  if (branch !== undefined && isCommitId(branch)) {
    const commit = branch.toLowerCase();
    return { commit, ref: commit, object: commit, defaultBranch: null };
  }
  const names = branch === undefined ? ['HEAD'] : [`refs/heads/${branch}`, `refs/tags/${branch}`];
  const asked = await listRemote(access, options, [
    'HEAD',
    ...names,
    ...names.slice(1).map(peeled),
  ]);
  const { defaultBranch } = asked;
  const ref = names.find((name) => asked.refs.has(name));
  const object = ref === undefined ? undefined : asked.refs.get(ref);
  if (ref !== undefined && object !== undefined) {
    return { commit: asked.refs.get(peeled(ref)) ?? object, ref, object, defaultBranch };
  }
  const heads = await listRemote(access, options, ['HEAD', 'refs/heads/*', 'refs/tags/*']);
  if (heads.refs.size === 0)
    return { commit: null, ref: 'HEAD', object: null, defaultBranch: heads.defaultBranch };
  throw noSuchBranch(access.url, branch, heads);
}

/** How a remote's list names what a tag with a message of its own stands for. */
function peeled(tag: string): string {
  return `${tag}^{}`;
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
  const outcome = await runGit(
    ['ls-remote', '--symref', ...access.parameters, '--', access.href, ...patterns],
    {
      transport: access.transport,
      config: access.config,
      environment: access.environment,
      signal: options.signal,
      start: options.start,
      timeoutMs: Math.min(options.timeoutMs, ASK_MS),
      maxOutput: 32 * 1024 * 1024,
    },
  );
  if (outcome.timedOut) throw gitTimeout(access.url, Math.min(options.timeoutMs, ASK_MS));
  if (outcome.code !== 0) throw gitFailure(access, outcome.stderr);
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
  const branches = [...heads.refs.keys()].flatMap((name) =>
    name.startsWith('refs/heads/') ? [name.slice(11)] : [],
  );
  const named = branches.slice(0, MAX_NAMED).join(', ');
  const known =
    heads.defaultBranch !== null && heads.refs.has('HEAD')
      ? `its default branch is "${heads.defaultBranch}"`
      : `it has no default branch, but ${named}${branches.length > MAX_NAMED ? ', …' : ''}`;
  const short = branch !== undefined && SHORT_COMMIT_ID.test(branch);
  const message =
    branch === undefined
      ? `${url} names no default branch; choose one of ${named}`
      : `${url} has no branch or tag "${branch}"${short ? ', and a commit is named by all 40 of its digits' : ''}; ${known}`;
  return new StageFailure(message, false, { url, default_branch: heads.defaultBranch });
}

const SHORT_COMMIT_ID = /^[0-9a-f]{4,63}$/i;

/** A commit by all its digits, which no branch can be called by. */
function isCommitId(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name);
}

/**
 * The rules of `git check-ref-format --branch`, and no `*` that a pattern would take as its own.
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name.length > 250 || name === '@' || name === 'HEAD') return false;
  if (/[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\.lock(?:\/|$)|\/\./u.test(name)) return false;
  return name.isWellFormed();
}
