import type { Manifest } from '#contracts';
import { isBlobNotFound, type BlobStore, type Logger } from '#platform';

/** Reads a manifest. @throws BlobNotFoundError. */
export async function readManifest(blobs: BlobStore, hash: string): Promise<Manifest> {
  return JSON.parse(Buffer.from(await blobs.get(hash)).toString('utf8')) as Manifest;
}

/**
 * The manifest of the generation that a job starts from, or null when there is none. One that is missing from the blob
 * store (an older backup was restored) makes the sync read everything anew, which heals the source.
 */
export async function readBase(blobs: BlobStore, hash: string | undefined, logger: Logger): Promise<Manifest | null> {
  if (hash === undefined) return null;
  try {
    return await readManifest(blobs, hash);
  } catch (error) {
    if (!isBlobNotFound(error)) throw error;
    logger.warn({ manifest: hash }, 'The base generation is missing from the blob store and is not built on');
    return null;
  }
}
