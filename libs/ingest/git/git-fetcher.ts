import type { FetchRequest, FetchedDocument, Fetcher, SourceDocument, SourceSnapshot } from '../fetch/fetcher.port.js';
import { selectFiles } from '../select/select-files.js';
import type { GitRemoteOptions } from './git-access.js';
import type { GitEntry } from './git-tree.js';
import { openGitSnapshot, type GitSnapshot } from './open-git-snapshot.js';
import { resolveGitHead, type GitHeadOptions } from './resolve-git-head.js';

export interface GitFetcherOptions {
  /** The operator's own, for the sources of these tenants alone: with it, one reads what the operator can read. */
  readonly token?: NonNullable<GitRemoteOptions['token']> & { readonly tenants: readonly string[] };
}

/** What an empty repository is at: git's own name for no commit. */
const NO_COMMIT = '0'.repeat(40);

/** Reads a branch of a repository: a version is its commit, a document a file of it, which its blob id stands for. */
export function createGitFetcher(options: GitFetcherOptions = {}): Fetcher {
  return {
    async resolve(request) {
      const remote = remoteOf(request, options);
      const head = await resolveGitHead(remote);
      return {
        ref: head.commit ?? NO_COMMIT,
        async open() {
          const { directory, limits, slowTransfer, onProgress } = request;
          return filesOf(
            await openGitSnapshot({
              ...remote,
              head,
              directory,
              limits,
              slowTransfer,
              ...(onProgress && { onProgress }),
            }),
            request,
          );
        },
      };
    },
  };
}

function remoteOf(
  { tenantId, definition, network, signal, timeoutMs }: FetchRequest,
  { token }: GitFetcherOptions,
): GitHeadOptions {
  const { url, branch } = definition;
  return { url, branch, ...network, ...(token?.tenants.includes(tenantId) && { token }), signal, timeoutMs };
}

async function filesOf(snapshot: GitSnapshot, { definition, limits }: FetchRequest): Promise<SourceSnapshot> {
  const { selected, skipped } = await selectFiles(snapshot.entries, {
    include: definition.include_patterns,
    exclude: definition.exclude_patterns,
    maxFileBytes: limits.maxFileBytes,
  });
  return {
    ref: snapshot.commit ?? NO_COMMIT,
    documents: selected.map(({ file, named }) => documentOf(file, named)),
    skipped,
    read: (documents) => readFiles(snapshot, documents),
    close: () => snapshot.close(),
  };
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
    if (document?.version !== oid) throw new Error('git gave its blobs in another order than asked for');
    const { path, kind, named } = document;
    read += 1;
    yield { path, kind, bytes, ...(named && { named }) };
  }
}
