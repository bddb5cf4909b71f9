import type { FetchedDocument } from '#ingest';

import type { PartStore } from '../artifacts/attempt-blobs.js';
import { encodeRawPart } from '../artifacts/raw-part.js';
import type { WorkAhead } from './work-ahead.js';

/**
 * A part holds at most this much of documents, or this many: small enough to spread over threads,
 * large enough to be few.
 */
const PART_BYTES = 1024 * 1024;
const MOST_DOCUMENTS = 256;
/**
 * A small source is cut into about so many parts of at least so many documents, so that one thread
 * does not work alone.
 */
const PARTS = 8;
const FEWEST_DOCUMENTS = 16;

/** Returns the most parts that small documents are cut into; large ones may be more. */
export function mostParts(documents: number): number {
  return Math.ceil(documents / documentsInPart(documents));
}

function documentsInPart(documents: number): number {
  return Math.min(MOST_DOCUMENTS, Math.max(FEWEST_DOCUMENTS, Math.ceil(documents / PARTS)));
}

/** Collects fetched documents into parts and stores each as soon as it is full. */
export class PartWriter {
  private pending: FetchedDocument[] = [];
  private pendingBytes = 0;
  private readonly names: string[] = [];
  private readonly mostDocuments: number;

  /**
   * @param total how many documents there will be.
   * @param ahead gets the parts that threads can parse.
   */
  constructor(
    private readonly parts: Pick<PartStore, 'put'>,
    total: number,
    private readonly ahead?: Pick<WorkAhead, 'offer'>,
  ) {
    this.mostDocuments = documentsInPart(total);
  }

  async add(document: FetchedDocument): Promise<void> {
    this.pending.push(document);
    this.pendingBytes += document.bytes.byteLength;
    if (this.pendingBytes >= PART_BYTES || this.pending.length >= this.mostDocuments)
      await this.flush();
  }

  /** @returns the names of all parts, in order. */
  async finish(): Promise<readonly string[]> {
    if (this.pending.length > 0) await this.flush();
    return this.names;
  }

  private async flush(): Promise<void> {
    const documents = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    const bytes = encodeRawPart(documents);
    const name = await this.parts.put(bytes);
    this.names.push(name);
    if (documents[0]?.kind !== 'pdf') this.ahead?.offer(name, bytes);
  }
}
