import { LRUCache } from 'lru-cache';

import type { IndexedDocument, LiveSource } from '../search-index.port.js';
import { generationKey } from './generation-lists.js';
import type { IndexLayout } from './index-layout.js';
import type { ReadChunk } from './indexed-document.js';
import type { GenerationEntry } from './source-records.js';

/** About the bytes of a chunk in memory in addition to its text. */
const CHUNK_BYTES = 1_000;

/**
 * Keeps documents in memory that were read, because searches of one source read the same documents
 * again. Those of a generation never change.
 */
export class KeptDocuments {
  private readonly kept: LRUCache<string, IndexedDocument>;

  /** @param maxBytes of all documents, about. */
  constructor(
    private readonly layout: Pick<IndexLayout, 'id'>,
    maxBytes: number,
  ) {
    this.kept = new LRUCache({ maxSize: maxBytes });
  }

  /** Returns the documents of a generation that are kept. */
  of(source: LiveSource, entry: GenerationEntry) {
    const prefix = `${generationKey(this.layout, source, entry)}/`;
    return {
      get: (path: string): IndexedDocument | undefined => this.kept.get(prefix + path),
      keep: (document: IndexedDocument, read: readonly ReadChunk[]): void => {
        const size = read.reduce((sum, { chunk }) => sum + chunk.content.length + CHUNK_BYTES, 0);
        this.kept.set(prefix + document.path, document, { size });
      },
    };
  }
}

/** The kept documents of one generation. */
export type KeptOfGeneration = ReturnType<KeptDocuments['of']>;
