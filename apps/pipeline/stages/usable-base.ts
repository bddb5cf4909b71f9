import type { Manifest } from '#contracts';
import { findPackGap } from '#search-index';

import type { ListedDocument } from '../artifacts/source-listing.js';
import { manifestIfThere } from './base-manifest.js';
import { planPacks } from './plan-packs.js';
import type { StageContext } from './stage.types.js';

/**
 * The manifest of the generation that a job starts from, or null when there is none to build on:
 * none was published, or some of its content is gone from the blob store, as the store says now or
 * as was found when the index wanted to load it, or it lists a path twice, of which only one could
 * be told from what is new. Such a sync reads everything anew, which heals the source.
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
 * Whether the packs are whole that the index stage of a sync of these documents will read, as far
 * as that is known before.
 */
export async function canBuildOn(
  context: StageContext,
  base: Manifest,
  documents: readonly ListedDocument[],
): Promise<boolean> {
  const { blobs, logger, job } = context;
  // How many chunks come is not known yet: none and one are the extremes at which packs are merged.
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

/** What whoever wanted to load or examine the generation has noted of it. */
async function isKnownGone({ tenantId, job, indexed }: StageContext): Promise<boolean> {
  if (!job.base) return false;
  const row = await indexed.state(tenantId, job.source_id, job.base.generation);
  return row !== null && (row.state === 'failed' || (row.message ?? null) !== null);
}

/** As generations of before paths were told apart by their bytes may do. */
function namesTwice({ documents }: Manifest): boolean {
  return new Set(documents.map(({ path }) => path)).size < documents.length;
}

function hashesOf({ packs }: Manifest): readonly string[] {
  return packs.map(({ hash }) => hash);
}
