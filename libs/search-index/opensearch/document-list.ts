import type { FilteredChunk } from '../chunk-filter.js';
import type { LiveSource } from '../search-index.port.js';
import { GenerationLists } from './generation-lists.js';
import type { IndexLayout } from './index-layout.js';
import { rowFilter } from './row-filter.js';
import type { RowReader } from './row-reader.js';
import type { GenerationEntry } from './source-records.js';

const PAGE = 5_000;

/** Lists the documents of generations, each with the language of its first chunk. */
export class DocumentList {
  private readonly lists: GenerationLists<FilteredChunk>;

  constructor(
    private readonly rows: RowReader,
    layout: IndexLayout,
  ) {
    this.lists = new GenerationLists(layout);
  }

  /** Returns the documents, ascending by the UTF-8 bytes of their paths. */
  of(source: LiveSource, entry: GenerationEntry): Promise<readonly FilteredChunk[]> {
    return this.lists.of(source, entry, () => this.read(source));
  }

  private async read(source: LiveSource): Promise<readonly FilteredChunk[]> {
    // Every document has a first chunk.
    const filter = rowFilter(source, { term: { ordinal: 0 } });
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
