import { LRUCache } from 'lru-cache';

import type { FilteredChunk } from '../chunk-filter.js';
import type { LiveSource } from '../search-index.port.js';
import type { IndexLayout } from './index-layout.js';
import { rowFilter } from './row-filter.js';
import type { RowReader } from './row-reader.js';
import type { GenerationEntry } from './source-records.js';

/** Number of documents that are kept in memory over all generations. */
const MAX_DOCUMENTS = 500_000;
const PAGE = 5_000;

/**
 * Lists the documents of generations, each with the language of its first chunk. The documents of a
 * generation never change, so they are read once and kept.
 */
export class DocumentList {
  private readonly kept = new LRUCache<string, readonly FilteredChunk[]>({
    maxSize: MAX_DOCUMENTS,
    sizeCalculation: (documents) => documents.length + 1,
  });

  constructor(
    private readonly rows: RowReader,
    private readonly layout: IndexLayout,
  ) {}

  /** Returns the documents, ascending by the UTF-8 bytes of their paths. */
  async of(source: LiveSource, entry: GenerationEntry): Promise<readonly FilteredChunk[]> {
    const { tenantId, sourceId, generation } = source;
    const key = `${this.layout.id}/${tenantId}/${sourceId}/${generation}/${entry.fingerprint}`;
    const known = this.kept.get(key);
    if (known) return known;
    const documents = await this.read(source);
    this.kept.set(key, documents);
    return documents;
  }

  private async read(source: LiveSource): Promise<readonly FilteredChunk[]> {
    const { routing, clause } = rowFilter(source);
    // Every document has a first chunk.
    const filter = { routing, clause: { bool: { filter: [clause, { term: { ordinal: 0 } }] } } };
    const page = {
      size: PAGE,
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: ['path', 'language'],
    };
    const documents: FilteredChunk[] = [];
    for await (const { fields } of this.rows.hits(filter, page, ['path', 'chunk_id'])) {
      const [path = '', language = ''] = [fields?.path?.[0], fields?.language?.[0]];
      if (documents.at(-1)?.path !== path) documents.push({ path, language });
    }
    return documents;
  }
}
