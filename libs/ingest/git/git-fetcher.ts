import { dirname, join } from 'node:path';

import { StageFailure } from '#contracts';
import type { StartProcess } from '#platform';

import {
  type RepositoryCredentials,
  transportProblem,
} from '../credentials/repository-credentials.js';
import type {
  FetchedDocument,
  Fetcher,
  FetchRequest,
  SourceDocument,
  SourceSnapshot,
} from '../fetch/fetcher.port.js';
import { requireGitUrl } from '../git-url/git-url.js';
import { selectFiles } from '../select/select-files.js';
import type { GitToken } from './git-access.js';
import type { GitEntry } from './git-tree.js';
import { type GitSnapshot, openGitSnapshot } from './open-git-snapshot.js';
import { type GitHeadOptions, resolveGitHead } from './resolve-git-head.js';
import { withSshKey } from './ssh-files.js';
import { trustedAuthorities } from './trusted-authorities.js';

export interface GitFetcherOptions {
  /**
   * The operator's token, used only for the sources of these tenants. With the token, a source
   * reads what the operator can read.
   */
  readonly token?: GitToken & { readonly tenants: readonly string[] };
  /** File with the operator's host keys. If it is set, ssh connects only to hosts in that file. */
  readonly knownHosts?: string;
  /** Starter of git processes. Default: this process, which a large process should avoid. */
  readonly start?: StartProcess | undefined;
}

/** Version of an empty repository: git's own ID for no commit. */
const NO_COMMIT = '0'.repeat(40);

/**
 * Creates a fetcher that reads a branch, tag or commit of a repository. The version is the commit;
 * each document is a file, and its version is its blob ID. A source's own credentials take
 * precedence over the operator's. They are sent only to the host of the source's URL.
 */
export function createGitFetcher(options: GitFetcherOptions = {}): Fetcher {
  return {
    async resolve(request) {
      const head = request.isFirst ? undefined : await withRemote(request, options, resolveGitHead);
      return {
        ref: head ? (head.commit ?? NO_COMMIT) : null,
        async open() {
          const { directory, limits, slowTransfer, onProgress } = request;
          const files = {
            head,
            isUnresolved: head === undefined,
            directory,
            limits,
            slowTransfer,
            ...(onProgress && { onProgress }),
          };
          const snapshot = await withRemote(request, options, (remote) =>
            openGitSnapshot({ ...remote, ...files }),
          );
          return filesOf(snapshot, request);
        },
      };
    },
  };
}

/** File next to the scratch folders of the sources, shared by all of them. */
const AUTHORITIES = 'authorities.pem';

/** Runs commands on the source's remote with its credentials. No key file remains afterwards. */
async function withRemote<T>(
  request: FetchRequest,
  { token: operators, knownHosts, start }: GitFetcherOptions,
  work: (remote: GitHeadOptions) => Promise<T>,
): Promise<T> {
  const { tenantId, definition, credentials, network, signal, timeoutMs, directory } = request;
  const { url, branch } = definition;
  const authoritiesFile = await trustedAuthorities(join(dirname(directory), AUTHORITIES));
  const remote = { url, branch, ...network, signal, timeoutMs, authoritiesFile, start };
  if (credentials === undefined) {
    const ssh = knownHosts === undefined ? {} : { ssh: { knownHostsFile: knownHosts } };
    return work({
      ...remote,
      ...ssh,
      ...(operators?.tenants.includes(tenantId) && { token: operators }),
    });
  }
  const problem = transportProblem(requireGitUrl(url, network), network);
  if (problem !== null)
    throw new StageFailure(`The credential of ${url} ${problem}`, false, { url });
  if ('token' in credentials) return work({ ...remote, token: tokenOf(url, credentials) });
  return withSshKey(directory, credentials.ssh_key, ({ identityFile, knownHostsFile }) => {
    const hosts =
      knownHosts === undefined
        ? { knownHostsFile, acceptNewHost: true }
        : { knownHostsFile: knownHosts };
    return work({ ...remote, ssh: { identityFile, ...hosts } });
  });
}

/**
 * Returns the token with its user name. Bitbucket requires a special user name for tokens; other
 * hosts accept any.
 */
function tokenOf(
  url: string,
  { username, token }: Extract<RepositoryCredentials, { token: string }>,
): GitToken {
  const { origin, hostname } = new URL(url);
  const user = username ?? (hostname === 'bitbucket.org' ? 'x-token-auth' : undefined);
  return { origin, ...(user === undefined ? {} : { username: user }), token };
}

async function filesOf(
  snapshot: GitSnapshot,
  { definition, limits, signal }: FetchRequest,
): Promise<SourceSnapshot> {
  const { selected, skipped } = await selectFiles(snapshot.entries, {
    include: definition.include_patterns,
    exclude: definition.exclude_patterns,
    maxFileBytes: limits.maxFileBytes,
    signal,
  });
  return {
    ref: snapshot.commit ?? NO_COMMIT,
    documents: selected.map(({ file, named }) => documentOf(file, named)),
    skipped: withSubmodules(skipped, snapshot.submodules),
    read: (documents) => readFiles(snapshot, documents),
    close: () => snapshot.close(),
  };
}

/**
 * Adds submodules to the skipped files. A submodule is another repository, which can be added as a
 * separate source.
 */
function withSubmodules(
  skipped: SourceSnapshot['skipped'],
  submodules: number,
): SourceSnapshot['skipped'] {
  if (submodules === 0) return skipped;
  const files_skipped = (skipped['files_skipped'] ?? 0) + submodules;
  return { ...skipped, files_skipped, files_skipped_submodule: submodules };
}

function documentOf({ path, oid, size }: GitEntry, named: boolean): SourceDocument {
  return { path, kind: 'file', version: oid, size, ...(named && { named }) };
}

async function* readFiles(
  snapshot: GitSnapshot,
  documents: readonly SourceDocument[],
): AsyncGenerator<FetchedDocument> {
  let read = 0;
  for await (const { oid, bytes } of snapshot.read(documents.map(({ version }) => version))) {
    const document = documents[read];
    if (document?.version !== oid)
      throw new Error('git gave its blobs in another order than asked for');
    const { path, kind, named } = document;
    read += 1;
    yield { path, kind, bytes, ...(named && { named }) };
  }
}
