import type { BlobStore } from '#platform';

import { decodeArtifact, encodeArtifact } from './artifact.codec.js';

/** One document of the generation that a job is making. */
export interface ListedDocument {
  readonly path: string;
  /** Tells a change without reading; see `SourceDocument`. */
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

/** The artifact of every stage before `index`: all documents of the new generation, and parts with what was read. */
export interface SourceListing {
  readonly version_ref: string;
  /** See `recipeOf`. */
  readonly recipe: string;
  /** Blob hash of the manifest whose packs kept documents lie in; null when nothing is kept. */
  readonly base: string | null;
  /** In path order. */
  readonly documents: readonly ListedDocument[];
  /** Blob hashes of the parts, in document order. What a part holds depends on the stage. */
  readonly parts: readonly string[];
  readonly files_read: number;
  /** Files left out by name or size, and why; those left out by content are in `documents`. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Chunks in the parts; known from the chunk stage on. */
  readonly chunks: number;
}

export async function writeListing(blobs: BlobStore, listing: SourceListing): Promise<string> {
  return blobs.put(encodeArtifact(listing));
}

export async function readListing(blobs: BlobStore, hash: string): Promise<SourceListing> {
  return decodeArtifact<SourceListing>(await blobs.get(hash)).header;
}
