import type { BlobStore } from '#platform';

import { blobOwner } from '../artifacts/blob-owner.js';
import { readOldListing } from '../artifacts/source-listing.js';
import { manifestIfThere } from '../stages/base-manifest.js';
import type { TenantContent } from './tenant-content.js';

export interface DestroyBlobsOptions {
  readonly blobs: BlobStore;
  readonly tenantId: string;
  readonly content: Pick<TenantContent, 'manifests' | 'artifacts' | 'uploads'>;
  /** Blobs that other tenants need, determined after `before` was taken. */
  readonly needed: ReadonlySet<string>;
  /**
   * Time from which a blob without an owner is kept if it was written then or later (milliseconds
   * since the epoch). A request may be about to name it.
   */
  readonly before: number;
}

/** The removed blobs. `waits`: some blobs must stay until nobody else can be about to name them. */
export interface DestroyedBlobs {
  readonly blobs: number;
  readonly bytes: number;
  readonly waits: boolean;
}

/**
 * Removes the blobs of a tenant whose work is over, whether its events name them or not. Parts,
 * packs and manifests show their owner. An uploaded file does not, and may be the same for two
 * tenants; neither do parts of earlier versions. Such a blob is removed once it is settled that
 * nobody needs it, whatever its writer. The erasure waits until then: no blob is left that may be
 * the tenant's. Blobs that name other blobs are removed last, so that an interrupted erasure finds
 * the others again.
 */
export async function destroyBlobs(options: DestroyBlobsOptions): Promise<DestroyedBlobs> {
  const { blobs, tenantId, needed, before } = options;
  const { named, last } = await namedBy(options);
  const telling: { hash: string; size: number; isOwn: boolean }[] = [];
  let [count, bytes, waits] = [0, 0, false];
  const remove = async (hash: string, size: number, isOwn: boolean): Promise<void> => {
    if (isOwn) await blobs.delete(hash);
    else if (!(await blobs.deleteIfOlder(hash, before)))
      return void (waits ||= await blobs.has(hash));
    if (!isOwn && !named.has(hash)) return;
    count += 1;
    bytes += size;
  };
  for await (const { hash, size } of blobs.list()) {
    if (needed.has(hash)) continue;
    const owner = await blobOwner(blobs, hash);
    if (owner !== null && owner.tenantId !== tenantId) continue;
    const isOwn = owner !== null;
    if (last.has(hash)) telling.push({ hash, size, isOwn });
    else await remove(hash, size, isOwn);
  }
  if (!waits) for (const { hash, size, isOwn } of telling) await remove(hash, size, isOwn);
  return { blobs: count, bytes, waits };
}

async function namedBy({ blobs, content }: DestroyBlobsOptions) {
  const named = new Set([...content.uploads, ...content.manifests, ...content.artifacts]);
  const last = new Set<string>([...content.manifests, ...content.artifacts]);
  const manifests = new Set(content.manifests);
  for (const hash of content.artifacts) {
    const listing = await readOldListing(blobs, hash);
    for (const part of listing?.parts ?? []) named.add(part);
    if (listing?.base) manifests.add(listing.base);
  }
  for (const hash of manifests) {
    named.add(hash);
    last.add(hash);
    for (const pack of (await manifestIfThere(blobs, hash))?.packs ?? []) named.add(pack.hash);
  }
  return { named, last };
}
