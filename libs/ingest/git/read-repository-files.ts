import type { Fetcher, FetchRequest } from '../fetch/fetcher.port.js';

/** A file of a repository as git has it. */
export interface RepositoryFile {
  /** Id of the file's blob. */
  readonly blobId: string;
  readonly bytes: Uint8Array;
}

/** Some files of a repository at one commit. */
export interface RepositoryFiles {
  readonly commit: string;
  /** By path; without those that the commit does not have. */
  readonly files: ReadonlyMap<string, RepositoryFile>;
}

/**
 * Reads some files of a repository at a branch, tag or commit.
 * @throws StageFailure as the fetcher does; the signal's reason.
 */
export async function readRepositoryFiles(
  fetcher: Fetcher,
  request: FetchRequest,
  paths: ReadonlySet<string>,
): Promise<RepositoryFiles> {
  const version = await fetcher.resolve(request);
  const snapshot = await version.open([]);
  try {
    const wanted = snapshot.documents.filter(({ path }) => paths.has(path));
    const blobIds = new Map(wanted.map((document) => [document.path, document.version]));
    const files = new Map<string, RepositoryFile>();
    for await (const { path, bytes } of snapshot.read(wanted))
      files.set(path, { blobId: blobIds.get(path) ?? '', bytes });
    return { commit: snapshot.ref, files };
  } finally {
    await snapshot.close();
  }
}
