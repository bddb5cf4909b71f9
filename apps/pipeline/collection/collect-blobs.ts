import type { BlobStore } from '#platform';

import { type BlobOwner, blobOwner } from '../artifacts/blob-owner.js';
import { readOldListing } from '../artifacts/source-listing.js';
import type { Ledger } from '../dispatcher/ledger.js';
import { manifestIfThere } from '../stages/base-manifest.js';

interface CollectionOptions {
  readonly blobs: BlobStore;
  /** Names of everything that is still needed. */
  readonly marked: ReadonlySet<string>;
  /**
   * Blobs written at or after this time (milliseconds since the epoch) stay: their job may not have
   * named them yet.
   */
  readonly before: number;
  /** Returns the limit of a blob by its owner; null where `before` applies. */
  readonly beforeOf?: (hash: string, owner: BlobOwner | null) => Promise<number | null>;
  /** Asked before each removal; false ends the sweep. */
  readonly mayContinue: () => boolean;
}

/**
 * Removes the blobs that nothing names, while stages run. A blob that a stage has put is younger
 * than the limit, whether the stage wrote it or found it there. A blob that it reads without having
 * put it is marked, or is a part of its own job.
 *
 * @returns the number of removed blobs, and their bytes.
 */
export async function collectBlobs(
  options: CollectionOptions,
): Promise<{ removed: number; bytes: number }> {
  const { blobs, marked, before, beforeOf, mayContinue } = options;
  let removed = 0;
  let bytes = 0;
  for await (const { hash, modifiedAt, size } of blobs.list()) {
    if (marked.has(hash)) continue;
    if (!mayContinue()) break;
    const limit = (await beforeOf?.(hash, await blobOwner(blobs, hash))) ?? before;
    if (modifiedAt >= limit || !(await blobs.deleteIfOlder(hash, limit))) continue;
    removed += 1;
    bytes += size;
  }
  return { removed, bytes };
}

/**
 * Returns every blob that surviving generations and open jobs need. These are manifests with their
 * packs, artifacts, and parts that an earlier version left for them. They include uploaded files
 * and tables of SCIP indexes of sources that are not removed, or whose generations are kept. Sealed
 * parts are not marked: they name their job themselves. Blobs that the log named after the ledger
 * was read were put into the store a short time ago.
 *
 * @throws Error while one of these manifests is missing in the store: the packs that it names may
 * be there, or may be restored.
 */
export async function markBlobs(blobs: BlobStore, ledger: Ledger): Promise<ReadonlySet<string>> {
  const marked = new Set<string>();
  const [sources, jobs] = [[...ledger.sources.values()], [...ledger.jobs.values()]];
  for (const { generations, upload, scip = [], removed } of sources) {
    // A legal hold keeps the generations of a removed source, and what belongs to them.
    if (!removed || generations.length > 0) {
      if (upload !== null) marked.add(upload);
      for (const { blob } of scip) marked.add(blob);
    }
    for (const { manifest } of generations) await markManifest(blobs, manifest, marked);
  }
  for (const { job } of jobs) {
    if (job.base) await markManifest(blobs, job.base.manifest, marked);
    if (job.artifact === null || marked.has(job.artifact)) continue;
    marked.add(job.artifact);
    const listing = await readOldListing(blobs, job.artifact);
    for (const part of listing?.parts ?? []) marked.add(part);
    if (listing?.base) await markManifest(blobs, listing.base, marked);
  }
  return marked;
}

async function markManifest(blobs: BlobStore, hash: string, marked: Set<string>): Promise<void> {
  if (marked.has(hash)) return;
  marked.add(hash);
  const manifest = await manifestIfThere(blobs, hash);
  if (!manifest)
    throw new Error(
      `Nothing is collected while the manifest ${hash} is missing: it lists what is needed`,
    );
  for (const pack of manifest.packs) marked.add(pack.hash);
}
