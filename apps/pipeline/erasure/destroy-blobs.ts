import type { BlobStore } from '#platform';

import { readListing } from '../artifacts/source-listing.js';
import { ifThere, manifestIfThere } from '../stages/base-manifest.js';
import type { TenantContent } from './tenant-content.js';

export interface DestroyBlobsOptions {
  readonly blobs: BlobStore;
  readonly content: Pick<TenantContent, 'manifests' | 'artifacts' | 'uploads'>;
  /** What other tenants need, asked after `before` was taken. */
  readonly needed: ReadonlySet<string>;
  /**
   * What others might have as well is left where it was written at or after this time (milliseconds since the epoch): they may
   * be about to name it.
   */
  readonly before: number;
}

/** What went, and whether something has to wait until it is sure that nobody else is about to name it. */
export interface DestroyedBlobs {
  readonly blobs: number;
  readonly bytes: number;
  readonly waits: boolean;
}

/**
 * Removes the blobs that a tenant's events name and nobody else needs. Packs and manifests carry the ids of their tenant and
 * source, so that nobody else can have them; files, and what the first stages make of them, may be the same for two tenants.
 * What tells of other blobs goes last: whoever is cut short finds them again.
 */
export async function destroyBlobs(options: DestroyBlobsOptions): Promise<DestroyedBlobs> {
  const { blobs, needed, before } = options;
  const { own, shared, last } = await namedBy(options);
  const kept = { own: new Map<string, number>(), shared: new Map<string, number>() };
  let [count, bytes, waits] = [0, 0, false];
  const remove = async (hash: string, size: number, isOwn: boolean): Promise<void> => {
    if (isOwn) await blobs.delete(hash);
    else if (!(await blobs.deleteIfOlder(hash, before))) return void (waits ||= await blobs.has(hash));
    count += 1;
    bytes += size;
  };
  for await (const { hash, size } of blobs.list()) {
    const isOwn = own.has(hash);
    if (needed.has(hash) || (!isOwn && !shared.has(hash))) continue;
    if (last.has(hash)) kept[isOwn ? 'own' : 'shared'].set(hash, size);
    else await remove(hash, size, isOwn);
  }
  if (!waits) for (const [hash, size] of kept.own) await remove(hash, size, true);
  if (!waits) for (const [hash, size] of kept.shared) await remove(hash, size, false);
  return { blobs: count, bytes, waits };
}

async function namedBy({ blobs, content }: DestroyBlobsOptions) {
  const own = new Set<string>();
  const shared = new Set(content.uploads);
  const last = new Set<string>([...content.manifests, ...content.artifacts]);
  const manifests = new Set(content.manifests);
  for (const hash of content.artifacts) {
    shared.add(hash);
    const listing = await ifThere(readListing(blobs, hash));
    for (const part of listing?.parts ?? []) shared.add(part);
    if (listing?.base) manifests.add(listing.base);
  }
  for (const hash of manifests) {
    own.add(hash);
    last.add(hash);
    for (const pack of (await manifestIfThere(blobs, hash))?.packs ?? []) own.add(pack.hash);
  }
  return { own, shared, last };
}
