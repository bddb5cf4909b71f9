import type { Manifest, SourceDefinition } from '#contracts';
import type { FetchRequest, SourceDocument, SourceSnapshot } from '#ingest';
import { fetcherFor } from '#ingest/fetchers';
import { folderBytes } from '#platform';

import { type ListedDocument, writeListing } from '../artifacts/source-listing.js';
import { compareWithBase } from './compare-base.js';
import { mostParts, PartWriter } from './part-writer.js';
import { recipeOf } from './recipe.js';
import { sourceCredentials } from './source-credentials.js';
import type { StageContext, StageDetails, StageOutcome } from './stage.types.js';
import { storedBytes } from './stored-bytes.js';
import { canBuildOn, usableBase } from './usable-base.js';

/**
 * Pins the version and reads the documents that the base does not have. Nothing new ends the job
 * here.
 */
export async function fetchStage(context: StageContext): Promise<StageOutcome> {
  const { job, config, embedder } = context;
  const source = await context.sources.of(job);
  const { definition } = source;
  const fetcher = fetcherFor(context.fetchers, definition);
  const recipe = recipeOf(definition, embedder, config.limits.maxFileBytes);
  const credentials = await sourceCredentials(context, source);
  const request = {
    ...requestOf(context, definition, recipe),
    ...(credentials && { credentials }),
    isFirst: !context.job.base,
  };
  const [base, version] = await Promise.all([usableBase(context), fetcher.resolve(request)]);
  const reusable = base?.recipe === recipe ? base : null;
  if (reusable && job.base && version.ref === job.base.version_ref) {
    return unchanged(context, reusable, job.base.version_ref);
  }
  // Another version has other documents, most likely. Without one, nothing is known yet.
  if (reusable && version.ref !== null) context.pool.warm();
  const snapshot = await version.open(reusable?.documents ?? []);
  try {
    return await readSnapshot(context, snapshot, recipe, reusable);
  } finally {
    await snapshot.close();
  }
}

function requestOf(
  context: StageContext,
  definition: SourceDefinition,
  recipe: string,
): FetchRequest {
  const { tenantId, config, signal, scratch } = context;
  return {
    tenantId,
    definition,
    directory: scratch,
    recipe,
    limits: config.limits,
    network: config.network,
    signal,
    slowTransfer: config.jobs.slowTransfer,
    timeoutMs: config.jobs.stageTimeoutSeconds * 1_000,
    onProgress: (message) =>
      context.report({ fraction: 0, message, details: { files_fetched: 0, bytes_fetched: 0 } }),
  };
}

async function readSnapshot(
  context: StageContext,
  snapshot: SourceSnapshot,
  recipe: string,
  base: Manifest | null,
): Promise<StageOutcome> {
  const { job } = context;
  const version_ref = snapshot.ref;
  const { listed, toRead } = compareWithBase(snapshot.documents, base);
  if (
    base &&
    toRead.length === 0 &&
    listed.length === base.documents.length &&
    !missesOthers(listed, base)
  ) {
    return unchanged(context, base, version_ref, { ...snapshot.skipped, ...snapshot.details });
  }
  // A few files come soon, and threads take longer to start than to parse them.
  if (base && toRead.length > 0) context.pool.warm(mostParts(toRead.length));
  // Side by side: damage is rare, and then the few documents are read twice.
  const [{ parts, details }, sound] = await Promise.all([
    readDocuments(context, snapshot, toRead),
    base === null || canBuildOn(context, base, listed),
  ]);
  if (!sound) return readSnapshot(context, snapshot, recipe, null);
  const artifact = await writeListing(context.parts, {
    version_ref,
    recipe,
    base: base && job.base ? job.base.manifest : null,
    documents: listed,
    parts,
    files_read: toRead.length,
    skipped: snapshot.skipped,
    scratch_bytes: await folderBytes(context.scratch),
    chunks: 0,
  });
  const files_unchanged = listed.length - toRead.length;
  return {
    kind: 'advanced',
    artifact,
    version_ref,
    details: {
      ...snapshot.skipped,
      ...details,
      ...snapshot.details,
      ...(files_unchanged > 0 && { files_unchanged }),
    },
    // The bytes of a PDF do not show how long it takes to parse.
    ...(toRead.every(({ kind }) => kind !== 'pdf') && { bytes: details.bytes_fetched }),
  };
}

/** Returns whether other documents were unavailable than before: the next sync must know. */
function missesOthers(listed: readonly ListedDocument[], base: Manifest): boolean {
  const before = new Set(base.documents.flatMap(({ path, missed }) => (missed ? path : [])));
  const now = listed.filter(({ missed }) => missed);
  return now.length !== before.size || now.some(({ path }) => !before.has(path));
}

async function readDocuments(
  context: StageContext,
  snapshot: SourceSnapshot,
  toRead: readonly SourceDocument[],
) {
  const writer = new PartWriter(context.parts, toRead.length, context.ahead);
  let files_fetched = 0;
  let bytes_fetched = 0;
  for await (const document of snapshot.read(toRead)) {
    await writer.add(document);
    files_fetched += 1;
    bytes_fetched += document.bytes.byteLength;
    context.report({
      fraction: files_fetched / toRead.length,
      message: `Fetched ${files_fetched} of ${toRead.length} files`,
      details: { files_fetched, bytes_fetched },
    });
  }
  if (files_fetched !== toRead.length)
    throw new Error(`Asked for ${toRead.length} documents, got ${files_fetched}`);
  return { parts: await writer.finish(), details: { files_fetched, bytes_fetched } };
}

async function unchanged(
  { scratch }: StageContext,
  base: Manifest,
  version_ref: string,
  details: StageDetails = {},
): Promise<StageOutcome> {
  const { file_count, chunk_count, documents } = base;
  const stored = storedBytes(base, await folderBytes(scratch));
  const none = { files_fetched: 0, bytes_fetched: 0, files_unchanged: documents.length };
  return {
    kind: 'unchanged',
    version_ref,
    file_count,
    chunk_count,
    ...stored,
    details: { ...details, ...none },
  };
}
