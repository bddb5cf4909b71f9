import { StageFailure } from '#contracts';

import { type GitAccess, type GitRemoteOptions, openGitAccess } from './git-access.js';
import { gitFailure, gitTimeout } from './git-failure.js';
import { runGit } from './git-process.js';

export interface GitHead {
  /** Commit that the branch or tag points to; null in an empty repository. */
  readonly commit: string | null;
  /** Ref requested from the remote: `HEAD`, `refs/heads/…`, `refs/tags/…` or a commit ID. */
  readonly ref: string;
  /**
   * Object that the ref names: the tag object of an annotated tag, otherwise the commit. Null in an
   * empty repository.
   */
  readonly object: string | null;
  /** Branch that the remote's HEAD points to; null if the remote does not report it. */
  readonly defaultBranch: string | null;
}

/**
 * Resolved head with the checked remote. A fetch right afterwards need not check or resolve it
 * again.
 */
export interface ResolvedGitHead extends GitHead {
  readonly access: GitAccess;
}

export interface GitHeadOptions extends GitRemoteOptions {
  /**
   * Name of a branch, or else of a tag, or a full commit ID. Default: the remote's default branch.
   */
  readonly branch?: string | undefined;
}

/**
 * Resolves a branch or tag on the remote, without fetching anything. Only a fetch shows whether the
 * remote has a commit that is named by its ID.
 *
 * @throws StageFailure: not retryable if the URL, the credentials or the branch are wrong.
 */
export async function resolveGitHead(options: GitHeadOptions): Promise<ResolvedGitHead> {
  const access = await openGitAccess(options);
  return { ...(await headOf(access, options)), access };
}

async function headOf(access: GitAccess, options: GitHeadOptions): Promise<GitHead> {
  const { branch } = options;
  const names = refsOf(access, options);
  if (branch !== undefined && isCommitId(branch)) {
    const [commit] = names;
    return { commit, ref: commit, object: commit, defaultBranch: null };
  }
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

/**
 * Returns the refs that the options may mean, in order of preference.
 *
 * @throws StageFailure (not retryable) for a name that no branch can have.
 */
export function refsOf(
  { url }: Pick<GitAccess, 'url'>,
  { branch }: GitHeadOptions,
): readonly [string, ...string[]] {
  if (branch === undefined) return ['HEAD'];
  if (!isBranchName(branch)) {
    throw new StageFailure(`"${branch.slice(0, 100)}" is not a branch name`, false, { url });
  }
  if (isCommitId(branch)) return [branch.toLowerCase()];
  return [`refs/heads/${branch}`, `refs/tags/${branch}`];
}

/** Returns the name under which a remote lists the object that an annotated tag points to. */
function peeled(tag: string): string {
  return `${tag}^{}`;
}

/** Maximum wait for a remote's list of references, milliseconds. */
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

/** Returns true for a full commit ID, which cannot be the name of a branch. */
function isCommitId(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name);
}

/**
 * Checks a name by the rules of `git check-ref-format --branch`. Also rejects `*`, which would act
 * as a pattern.
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name.length > 250 || name === '@' || name === 'HEAD') return false;
  if (/[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\.lock(?:\/|$)|\/\./u.test(name)) return false;
  return name.isWellFormed();
}
