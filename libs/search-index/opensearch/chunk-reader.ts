import { outlineOf } from '../outline-of.js';
import type { IndexedChunk, IndexedOutline, LiveSource } from '../search-index.port.js';
import type { RowSource } from './chunk-row.js';
import { CHUNK_PAGE, readChunk } from './indexed-document.js';
import { decodeRanking, type RankingMeta } from './ranking-data.js';
import { rowFilter, slices } from './row-filter.js';
import { rankingOf, type RowReader } from './row-reader.js';
import type { SourceRecords } from './source-records.js';

const TEXTS_A_REQUEST = 200;
const DOCUMENT_ORDER = ['ordinal', 'chunk_id'];
const OUTLINE_PAGE = { ...CHUNK_PAGE, _source: false };

/**
 * Reads the content of a loaded generation, text included. Each method throws FootnoteError
 * `engine_unavailable` while it is not loaded.
 */
export class ChunkReader {
  constructor(
    private readonly records: SourceRecords,
    private readonly rows: RowReader,
  ) {}

  async contents(
    source: LiveSource,
    chunkIds: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    await this.records.loaded([source]);
    const texts = new Map<string, string>();
    for (const some of slices([...new Set(chunkIds)], TEXTS_A_REQUEST)) {
      const page = { size: TEXTS_A_REQUEST, _source: ['chunk_id', 'content'] };
      const filter = rowFilter(source, { terms: { chunk_id: some } });
      for await (const { _source: row } of this.rows.hits<RowSource>(filter, page, ['chunk_id'])) {
        texts.set(row.chunk_id, row.content);
      }
    }
    return chunkIds.map((id) => texts.get(id));
  }

  async document(source: LiveSource, path: string): Promise<readonly IndexedChunk[]> {
    await this.records.loaded([source]);
    const filter = rowFilter(source, { term: { path } });
    const chunks: IndexedChunk[] = [];
    for await (const hit of this.rows.hits<RowSource>(filter, CHUNK_PAGE, DOCUMENT_ORDER))
      chunks.push(readChunk(source, hit).chunk);
    return chunks;
  }

  async outline(source: LiveSource, path: string): Promise<IndexedOutline> {
    await this.records.loaded([source]);
    const filter = rowFilter(source, { term: { path } });
    const chunks: RankingMeta[] = [];
    for await (const hit of this.rows.hits(filter, OUTLINE_PAGE, DOCUMENT_ORDER))
      chunks.push(decodeRanking(rankingOf(hit)).meta);
    return outlineOf(chunks);
  }

  async *chunkIds(source: LiveSource): AsyncIterable<string> {
    await this.records.loaded([source]);
    yield* this.rows.chunkIds(rowFilter(source));
  }
}
