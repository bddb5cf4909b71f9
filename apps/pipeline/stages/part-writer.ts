import type { BlobStore } from '#platform';

import { encodeRawPart, type FetchedDocument } from '../artifacts/raw-part.js';

/** A part holds at most this much of files, or this many: small enough to spread over threads, large enough to be few. */
const PART_BYTES = 1024 * 1024;
const PART_DOCUMENTS = 256;

/** Collects fetched files into parts and stores each as soon as it is full. */
export class PartWriter {
  private pending: FetchedDocument[] = [];
  private pendingBytes = 0;
  private readonly hashes: string[] = [];

  constructor(private readonly blobs: BlobStore) {}

  async add(document: FetchedDocument): Promise<void> {
    this.pending.push(document);
    this.pendingBytes += document.bytes.byteLength;
    if (this.pendingBytes >= PART_BYTES || this.pending.length >= PART_DOCUMENTS) await this.flush();
  }

  /** @returns the hashes of all parts, in order. */
  async finish(): Promise<readonly string[]> {
    if (this.pending.length > 0) await this.flush();
    return this.hashes;
  }

  private async flush(): Promise<void> {
    const documents = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    this.hashes.push(await this.blobs.put(encodeRawPart(documents)));
  }
}
