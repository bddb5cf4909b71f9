import { StageFailure, type Manifest } from '#contracts';
import { openGitSnapshot, type GitSnapshot } from '#ingest/git/open-git-snapshot';
import { resolveGitHead, type GitHeadOptions } from '#ingest/git/resolve-git-head';

import type { FetchedDocument } from '../artifacts/raw-part.js';
import { writeListing, type ListedDocument } from '../artifacts/source-listing.js';
import { PartWriter } from './part-writer.js';
import { recipeOf } from './recipe.js';
import { selectFiles, type SelectedFiles } from './select-files.js';
import type { StageContext, StageOutcome } from './stage.types.js';
import { canBuildOn, usableBase } from './usable-base.js';

/** What an empty repository is at: git's own name for no commit. */
const NO_COMMIT = '0'.repeat(40);

/** Pins the commit and reads the files that the base does not have. Nothing new ends the job here. */
export async function fetchStage(context: StageContext): Promise<StageOutcome> {
  const { job, config, embedder } = context;
  const { source_type } = job.definition;
  if (source_type !== 'repo') {
    throw new StageFailure(`Sources of type ${source_type} cannot be synced by this version`, false, {
      url: job.definition.url,
    });
  }
  const recipe = recipeOf(job.definition, embedder, config.limits.maxFileBytes);
  const remote = remoteOf(context);
  const [base, head] = await Promise.all([usableBase(context), resolveGitHead(remote)]);
  const reusable = base?.recipe === recipe ? base : null;
  if (reusable && job.base && (head.commit ?? NO_COMMIT) === job.base.version_ref) {
    return unchanged(reusable, job.base.version_ref);
  }
  // A few files come soon, and threads take longer to start than to parse them.
  if (reusable) context.pool.warm();
  const snapshot = await openGitSnapshot({
    ...remote,
    head,
    directory: context.scratch,
    limits: config.limits,
    onProgress: (message) => context.report({ fraction: 0, message, details: { files_fetched: 0, bytes_fetched: 0 } }),
  });
  try {
    return await readSnapshot(context, snapshot, recipe, reusable);
  } finally {
    await snapshot.close();
  }
}

function remoteOf({ job, config, signal }: StageContext): GitHeadOptions {
  const { token, gitUrl } = config.github;
  return {
    url: job.definition.url,
    branch: job.definition.branch,
    ...config.network,
    ...(token === undefined ? {} : { token: { origin: new URL(gitUrl).origin, token } }),
    signal,
    timeoutMs: config.jobs.stageTimeoutSeconds * 1_000,
  };
}

async function readSnapshot(
  context: StageContext,
  snapshot: GitSnapshot,
  recipe: string,
  base: Manifest | null,
): Promise<StageOutcome> {
  const { job, config, blobs } = context;
  const version_ref = snapshot.commit ?? NO_COMMIT;
  const files = selectFiles(snapshot.entries, job.definition, config.limits.maxFileBytes, base);
  if (base && files.toRead.length === 0 && files.documents.length === base.documents.length) {
    return unchanged(base, version_ref);
  }
  // Side by side: damage is rare, and then the few files are read twice.
  const [{ parts, details }, sound] = await Promise.all([
    readFiles(context, snapshot, files),
    base === null || canBuildOn(context, base, files),
  ]);
  if (!sound) return readSnapshot(context, snapshot, recipe, null);
  const artifact = await writeListing(blobs, {
    version_ref,
    recipe,
    base: base && job.base ? job.base.manifest : null,
    documents: files.documents,
    parts,
    files_read: files.toRead.length,
    skipped: files.skipped,
    chunks: 0,
  });
  return { kind: 'advanced', artifact, version_ref, details };
}

async function readFiles(context: StageContext, snapshot: GitSnapshot, { toRead }: SelectedFiles) {
  const writer = new PartWriter(context.blobs, toRead.length);
  let files_fetched = 0;
  let bytes_fetched = 0;
  for await (const { oid, bytes } of snapshot.read(toRead.map(({ version }) => version))) {
    const file = toRead[files_fetched];
    if (file?.version !== oid) throw new Error('git gave its blobs in another order than asked for');
    await writer.add(fetched(file, bytes));
    files_fetched += 1;
    bytes_fetched += bytes.byteLength;
    context.report({
      fraction: files_fetched / toRead.length,
      message: `Fetched ${files_fetched} of ${toRead.length} files`,
      details: { files_fetched, bytes_fetched },
    });
  }
  return { parts: await writer.finish(), details: { files_fetched, bytes_fetched } };
}

function fetched({ path, named }: ListedDocument, bytes: Uint8Array): FetchedDocument {
  return { path, bytes, ...(named && { named }) };
}

function unchanged({ file_count, chunk_count }: Manifest, version_ref: string): StageOutcome {
  return { kind: 'unchanged', version_ref, file_count, chunk_count };
}
