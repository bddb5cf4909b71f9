import { type BlobStore, isBlobGone } from '#platform';

import { decodeArtifact } from './artifact.codec.js';
import type { PartStore } from './attempt-blobs.js';
import { readPartHead } from './sealed-part.js';

/** One document of the generation that a job is making. */
export interface ListedDocument {
  readonly path: string;
  /** Shows a change without reading; see `SourceDocument`. */
  readonly version: string;
  readonly etag?: string;
  readonly last_modified?: string;
  /** Its chunks are those of the base; it was not read. */
  readonly kept?: true;
  /** See `SourceDocument`. */
  readonly missed?: true;
  /** Read and then left out, and why. */
  readonly skipped?: string;
}

/**
 * The artifact of every stage before `index`: all documents of the new generation, and parts with
 * what was read.
 */
export interface SourceListing {
  readonly version_ref: string;
  /** See `recipeOf`. */
  readonly recipe: string;
  /**
   * Blob hash of the manifest whose packs contain the reused documents; null when no document is
   * reused.
   */
  readonly base: string | null;
  /** In path order. */
  readonly documents: readonly ListedDocument[];
  /** Names of the parts, in document order. What a part holds depends on the stage. */
  readonly parts: readonly string[];
  readonly files_read: number;
  /** Files left out by name or size, and why; those left out by content are in `documents`. */
  readonly skipped: Readonly<Record<string, number>>;
  /**
   * Bytes that the source occupies on disk between syncs; absent where an earlier version wrote the
   * listing.
   */
  readonly scratch_bytes?: number;
  /** Chunks in the parts; known from the chunk stage on. */
  readonly chunks: number;
}

export async function writeListing(parts: PartStore, listing: SourceListing): Promise<string> {
  return parts.putListing(listing);
}

export async function readListing(parts: PartStore, hash: string): Promise<SourceListing> {
  return parts.getListing<SourceListing>(hash);
}

/**
 * Reads the listing that an earlier version left. Its parts name no owner: the listing alone shows
 * whose they are.
 * @returns null where the blob is not in the store, or is a sealed part.
 */
export async function readOldListing(
  blobs: Pick<BlobStore, 'get'>,
  hash: string,
): Promise<SourceListing | null> {
  try {
    const bytes = await blobs.get(hash);
    return readPartHead(bytes) ? null : decodeArtifact<SourceListing>(bytes).header;
  } catch (error) {
    if (isBlobGone(error)) return null;
    throw error;
  }
}
