import type { Manifest } from '#contracts';
import { findPackGap } from '#search-index';

import type { ListedDocument } from '../artifacts/source-listing.js';
import { manifestIfThere } from './base-manifest.js';
import { planPacks } from './plan-packs.js';
import type { StageContext } from './stage.types.js';

/**
 * Returns the manifest of the generation that a job starts from, or null when the job cannot build
 * on it. That is so in three cases:
 * - No generation was published.
 * - Some of its content is missing: in the blob store now, or when the index tried to load it.
 * - The manifest lists a path twice: only one of the two could be distinguished from new content.
 *
 * Such a sync reads everything again, which repairs the source.
 */
export async function usableBase(context: StageContext): Promise<Manifest | null> {
  const { job, blobs, logger } = context;
  if (!job.base) return null;
  const { generation, manifest: hash } = job.base;
  const [manifest, knownGone] = await Promise.all([
    manifestIfThere(blobs, hash),
    isKnownGone(context),
  ]);
  const usable =
    manifest !== null && !knownGone && (await findPackGap(blobs, hashesOf(manifest))) === null;
  if (usable && !namesTwice(manifest)) return manifest;
  logger.warn(
    { generation, manifest: hash },
    'Content of the base generation is missing or listed twice: nothing is built on it',
  );
  return null;
}

/**
 * Returns whether the packs are whole that the index stage of a sync of these documents will read,
 * as far as that is known before.
 */
export async function canBuildOn(
  context: StageContext,
  base: Manifest,
  documents: readonly ListedDocument[],
): Promise<boolean> {
  const { blobs, logger, job } = context;
  // The number of new chunks is not known yet: none and one are the extremes at which packs are
  // merged.
  const plans = [0, 1].map((chunks) =>
    planPacks({ base: job.base?.manifest ?? null, documents, chunks }, base),
  );
  const read = plans.flatMap(({ packs, merge }) =>
    packs.filter(({ affected }) => merge || affected.length > 0),
  );
  const hashes = [...new Set(read.map(({ pack }) => pack.hash))];
  if ((await findPackGap(blobs, hashes, { packs: 'read' })) === null) return true;
  logger.warn(
    { manifest: job.base?.manifest },
    'Packs of the base generation are damaged: nothing is built on it',
  );
  return false;
}

/** Returns whether a load or an inspection of the generation recorded a problem. */
async function isKnownGone({ tenantId, job, indexed }: StageContext): Promise<boolean> {
  if (!job.base) return false;
  const row = await indexed.state(tenantId, job.source_id, job.base.generation);
  return row !== null && (row.state === 'failed' || (row.message ?? null) !== null);
}

/**
 * Returns whether a path occurs twice, as is possible in generations from before paths were
 * distinguished by their bytes.
 */
function namesTwice({ documents }: Manifest): boolean {
  return new Set(documents.map(({ path }) => path)).size < documents.length;
}

function hashesOf({ packs }: Manifest): readonly string[] {
  return packs.map(({ hash }) => hash);
}
