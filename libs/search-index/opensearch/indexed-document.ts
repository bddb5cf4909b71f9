import { outlineOf } from '../outline-of.js';
import type { IndexedChunk, IndexedDocument, LiveSource } from '../search-index.port.js';
import { decodeRanking, type RankingMeta } from './ranking-data.js';

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

/**
 * Returns a chunk with its text.
 *
 * @param ranking the bytes of its column
 */
export function readChunk({ sourceId }: LiveSource, ranking: Buffer, content: string): ReadChunk {
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
