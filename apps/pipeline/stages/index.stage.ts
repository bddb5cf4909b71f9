import type { Manifest } from '#contracts';
import { ANALYZER_ID } from '#retrieval';

import type { StageBlobs } from '../artifacts/attempt-blobs.js';
import type { SourceListing } from '../artifacts/source-listing.js';
import { ifThere, manifestIfThere, readManifest } from './base-manifest.js';
import { packParts } from './pack-parts.js';
import { type PackPlan, planPacks } from './plan-packs.js';
import { requireListing } from './require-listing.js';
import type { StageContext, StageOutcome } from './stage.types.js';
import { storedBytes } from './stored-bytes.js';
import { manifestOf } from './write-manifest.js';

/**
 * Writes chunks to a pack, and a manifest that names it together with the reused packs of the base.
 * Nothing is visible yet.
 */
export async function indexStage(context: StageContext): Promise<StageOutcome> {
  const { blobs, tenantId, job, embedder } = context;
  const listing = await requireListing(context);
  const total_chunks = listing.chunks;
  context.report({
    fraction: 0,
    message: `Indexing ${total_chunks} chunks`,
    details: { chunks_indexed: 0, total_chunks },
  });
  const { base, plan, packs } = await baseOfListing(context, listing);
  const { pack, changes } = await packParts(context, listing, {
    meta: {
      tenant_id: tenantId,
      source_id: job.source_id,
      analyzer: ANALYZER_ID,
      embedder: { id: embedder.id, dimensions: embedder.dimensions },
    },
    base: packs,
    merge: plan.merge,
  });
  const written = pack && { ...pack, hash: await blobs.put(pack.bytes) };
  const manifest: Manifest = manifestOf(context, listing, base, plan, written);
  const hash = await blobs.put(Buffer.from(JSON.stringify(manifest)));
  return {
    kind: 'staged',
    manifest: hash,
    version_ref: listing.version_ref,
    file_count: manifest.file_count,
    chunk_count: manifest.chunk_count,
    ...storedBytes(manifest, listing.scratch_bytes),
    details: { chunks_indexed: total_chunks, total_chunks },
    counters: { ...changes, files_processed: listing.files_read },
  };
}

/**
 * The inputs of the new generation besides the documents that were read, with the packs of the base
 * that this requires.
 */
interface BaseOfListing {
  readonly base: Manifest | null;
  readonly plan: PackPlan;
  readonly packs: Awaited<ReturnType<typeof readPacks>>;
}

/**
 * Reads the base of a listing. Reused documents need it. If nothing is reused, the base only serves
 * to count changes. If it is then missing in the blob store, there is no base, and all chunks count
 * as created.
 */
async function baseOfListing(
  { blobs, job }: StageContext,
  listing: SourceListing,
): Promise<BaseOfListing> {
  if (listing.base !== null) {
    const base = await readManifest(blobs, listing.base);
    const plan = planPacks(listing, base);
    return { base, plan, packs: await readPacks(blobs, plan) };
  }
  const base = job.base && (await manifestIfThere(blobs, job.base.manifest));
  const plan = planPacks(listing, base);
  const packs = await ifThere(readPacks(blobs, plan));
  return packs ? { base, plan, packs } : { base: null, plan: planPacks(listing, null), packs: [] };
}

function readPacks(blobs: StageBlobs, plan: PackPlan) {
  return Promise.all(
    plan.packs
      .filter(({ affected }) => plan.merge || affected.length > 0)
      .map(async ({ pack, dropped, affected }) => ({
        bytes: await blobs.get(pack.hash),
        dropped,
        affected,
      })),
  );
}
