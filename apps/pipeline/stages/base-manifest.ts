import type { Manifest } from '#contracts';
import { type BlobStore, isBlobGone } from '#platform';

/** Reads a manifest. @throws BlobNotFoundError, BlobCorruptError. */
export async function readManifest(blobs: Pick<BlobStore, 'get'>, hash: string): Promise<Manifest> {
  return JSON.parse(Buffer.from(await blobs.get(hash)).toString('utf8')) as Manifest;
}

/** The same, or null where the manifest is not in the store or damaged there. */
export async function manifestIfThere(
  blobs: Pick<BlobStore, 'get'>,
  hash: string,
): Promise<Manifest | null> {
  return ifThere(readManifest(blobs, hash));
}

/** Returns the result of a read from the blob store, or null if the blob is missing or damaged. */
export async function ifThere<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (isBlobGone(error)) return null;
    throw error;
  });
}
