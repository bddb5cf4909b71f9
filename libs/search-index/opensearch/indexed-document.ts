import { outlineOf } from '../outline-of.js';
import type { IndexedChunk, IndexedDocument, LiveSource } from '../search-index.port.js';
import type { RowSource } from './chunk-row.js';
import { decodeRanking, type RankingMeta } from './ranking-data.js';
import { rankingOf, type RowHit } from './row-reader.js';

/** A chunk with the definitions in its row. */
export interface ReadChunk {
  readonly chunk: IndexedChunk;
  readonly meta: RankingMeta;
}

/** Returns the document that some chunks make up. */
export function indexedDocument(read: readonly ReadChunk[]): IndexedDocument {
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

/** A page of rows with all that {@link readChunk} needs. */
export const CHUNK_PAGE = { size: 200, _source: ['content'], docvalue_fields: ['ranking'] };

/** Returns a chunk with its text. */
export function readChunk({ sourceId }: LiveSource, hit: RowHit<RowSource>): ReadChunk {
  const { meta } = decodeRanking(rankingOf(hit));
  const chunk = {
    chunkId: meta.chunk_id,
    sourceId,
    path: meta.path,
    fragment: meta.fragment,
    ordinal: meta.ordinal,
    startLine: meta.start_line,
    endLine: meta.end_line,
    content: hit._source.content,
    tokenCount: meta.token_count,
    symbol: meta.symbol,
    language: meta.language,
    chunkType: meta.chunk_type,
    before: meta.before,
    after: meta.after,
  };
  return { chunk, meta };
}
