import { tableOwner } from '#code-search/scip/occurrence-table-format';
import { isPdf } from '#ingest/pdf/pdf-magic';
import { type BlobStore, isBlobNotFound } from '#platform';
import type { PackMeta } from '#search-index/pack/pack-layout';
import { decodeHeader } from '#search-index/pack/sections';

import { readPartHead } from './sealed-part.js';

/** The tenant and source that a blob was written for, read from the blob itself. */
export interface BlobOwner {
  readonly tenantId: string;
  readonly sourceId: string;
  /**
   * `part`: left by a stage for the next one. `content`: pack or manifest of a generation. `scip`:
   * table of the occurrences of a SCIP index.
   */
  readonly kind: 'part' | 'content' | 'scip';
}

/** The head of every kind of blob lies within so many bytes. */
const START_BYTES = 64 * 1024;
const MANIFEST = /^\{"format":\d+,"tenant_id":"([^"\\]{1,64})","source_id":"([^"\\]{1,64})"/;

/**
 * Reads whose a blob is. Parts, packs, manifests and tables of SCIP indexes carry the ids of their
 * tenant and source. So those which no event names have an owner too.
 * @returns null for uploaded files, for parts of versions before parts had a head, and for a blob
 * that is not there any more.
 */
export async function blobOwner(
  blobs: Pick<BlobStore, 'readStart'>,
  hash: string,
): Promise<BlobOwner | null> {
  try {
    return ownerIn(await blobs.readStart(hash, START_BYTES));
  } catch (error) {
    if (isBlobNotFound(error)) return null;
    throw error;
  }
}

/** The same, of bytes that are at hand. */
function ownerIn(start: Uint8Array): BlobOwner | null {
  // Somebody chose the bytes of an uploaded file: what its start claims does not count.
  if (isPdf(start)) return null;
  const part = quietly(() => readPartHead(start));
  if (part) return { tenantId: part.tenant_id, sourceId: part.source_id, kind: 'part' };
  const pack = quietly(() => decodeHeader<Partial<PackMeta>>(start).meta);
  if (pack?.tenant_id !== undefined && pack.source_id !== undefined) {
    return { tenantId: pack.tenant_id, sourceId: pack.source_id, kind: 'content' };
  }
  const table = tableOwner(start);
  if (table) return { ...table, kind: 'scip' };
  const [, tenantId, sourceId] =
    MANIFEST.exec(Buffer.from(start.subarray(0, 1_024)).toString()) ?? [];
  return tenantId !== undefined && sourceId !== undefined
    ? { tenantId, sourceId, kind: 'content' }
    : null;
}

/** Damaged or foreign bytes have no owner. */
function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
