import { compileChunkFilter } from '../chunk-filter.js';
import { outlineOf } from '../outline-of.js';
import type {
  DocumentRange,
  IndexedChunk,
  IndexedDocument,
  IndexedOutline,
  LiveSource,
} from '../search-index.port.js';
import type { RowSource } from './chunk-row.js';
import { decodeRanking, type RankingMeta } from './ranking-data.js';
import { rowFilter, slices } from './row-filter.js';
import type { RowReader } from './row-reader.js';
import type { SourceRecords } from './source-records.js';

const TEXTS_A_REQUEST = 200;
const DOCUMENT_PAGE = 200;

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
    const { routing, clause } = rowFilter(source);
    for (const some of slices([...new Set(chunkIds)], TEXTS_A_REQUEST)) {
      const page = { size: TEXTS_A_REQUEST, _source: ['chunk_id', 'content'] };
      const filter = {
        routing,
        clause: { bool: { filter: [clause, { terms: { chunk_id: some } }] } },
      };
      for await (const { _source: row } of this.rows.hits<RowSource>(filter, page, ['chunk_id'])) {
        texts.set(row.chunk_id, row.content);
      }
    }
    return chunkIds.map((id) => texts.get(id));
  }

  async document(source: LiveSource, path: string): Promise<readonly IndexedChunk[]> {
    await this.records.loaded([source]);
    const { routing, clause } = rowFilter(source);
    const filter = { routing, clause: { bool: { filter: [clause, { term: { path } }] } } };
    const page = { size: DOCUMENT_PAGE, _source: ['content'], docvalue_fields: ['ranking'] };
    const chunks: IndexedChunk[] = [];
    for await (const { _source, fields } of this.rows.hits<RowSource>(filter, page, [
      'ordinal',
      'chunk_id',
    ])) {
      chunks.push(
        readChunk(source, Buffer.from(fields?.ranking?.[0] ?? '', 'base64'), _source.content).chunk,
      );
    }
    return chunks;
  }

  async outline(source: LiveSource, path: string): Promise<IndexedOutline> {
    await this.records.loaded([source]);
    const { routing, clause } = rowFilter(source);
    const filter = { routing, clause: { bool: { filter: [clause, { term: { path } }] } } };
    const page = { size: DOCUMENT_PAGE, _source: false, docvalue_fields: ['ranking'] };
    const chunks: RankingMeta[] = [];
    for await (const { fields } of this.rows.hits(filter, page, ['ordinal', 'chunk_id']))
      chunks.push(decodeRanking(Buffer.from(fields?.ranking?.[0] ?? '', 'base64')).meta);
    return outlineOf(chunks);
  }

  async *documents(
    source: LiveSource,
    { from, filter }: DocumentRange,
  ): AsyncIterable<IndexedDocument> {
    await this.records.loaded([source]);
    const accept = filter && compileChunkFilter(filter);
    const { routing, clause } = rowFilter(source);
    const range = from === undefined ? [] : [{ range: { path: { gte: from } } }];
    const rows = { routing, clause: { bool: { filter: [clause, ...range] } } };
    const page = { size: DOCUMENT_PAGE, _source: ['content'], docvalue_fields: ['ranking'] };
    const order = ['path', 'ordinal', 'chunk_id'];
    let read: ReadChunk[] = [];
    const isWanted = ([first]: readonly ReadChunk[]) => first && (accept?.(first.chunk) ?? true);
    for await (const { _source, fields } of this.rows.hits<RowSource>(rows, page, order)) {
      const ranking = Buffer.from(fields?.ranking?.[0] ?? '', 'base64');
      const next = readChunk(source, ranking, _source.content);
      if (read[0] && read[0].chunk.path !== next.chunk.path) {
        if (isWanted(read)) yield indexedDocument(read);
        read = [];
      }
      read.push(next);
    }
    if (isWanted(read)) yield indexedDocument(read);
  }

  async *chunkIds(source: LiveSource): AsyncIterable<string> {
    await this.records.loaded([source]);
    yield* this.rows.chunkIds(rowFilter(source));
  }
}

/** A chunk with the definitions in its row. */
interface ReadChunk {
  readonly chunk: IndexedChunk;
  readonly meta: RankingMeta;
}

/** Returns the document that some chunks make up. */
function indexedDocument(read: readonly ReadChunk[]): IndexedDocument {
  const chunks = read.map(({ chunk }) => chunk);
  return {
    path: chunks[0]?.path ?? '',
    language: chunks[0]?.language ?? '',
    stored: undefined,
    chunks: () => Promise.resolve(chunks),
    symbolOf: (at) => chunks[at]?.symbol,
    definitions: () =>
      read.flatMap(({ meta }) =>
        (meta.definitions ?? []).map(({ symbol, start_line, end_line, place }) => {
          return { symbol, first: start_line, last: Math.max(end_line, place?.last_line ?? 0) };
        }),
      ),
    outline: () => outlineOf(read.map(({ meta }) => meta)),
  };
}

function readChunk({ sourceId }: LiveSource, ranking: Buffer, content: string): ReadChunk {
  const { meta } = decodeRanking(ranking);
  const chunk = {
    chunkId: meta.chunk_id,
    sourceId,
    path: meta.path,
    fragment: meta.fragment,
    ordinal: meta.ordinal,
    startLine: meta.start_line,
    endLine: meta.end_line,
    content,
    tokenCount: meta.token_count,
    symbol: meta.symbol,
    language: meta.language,
    chunkType: meta.chunk_type,
    before: meta.before,
    after: meta.after,
  };
  return { chunk, meta };
}
