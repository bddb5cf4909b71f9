import { storedDocument } from '../pack/stored-document.js';
import type { IndexedChunk, IndexedDocument } from '../search-index.port.js';
import { chunksOf, outlineOfChunks } from './chunk-reader.js';
import type { SegmentView } from './store/loaded-generation.js';

/** Returns a document without reading its text; what it defines is decoded when it is needed. */
export function segmentDocument(
  views: readonly SegmentView[],
  path: string,
  readChunks: () => Promise<readonly IndexedChunk[]>,
): IndexedDocument {
  const chunks = chunksOf(views, path);
  const [first] = chunks;
  const places = chunks.map(({ view: { segment }, chunk }) => {
    const { tables, file } = segment;
    const [, offset, length] = tables.textSpan(chunk);
    const { before, after } = tables.gap(chunk);
    const startLine = tables.startLine(chunk);
    return { file, block: segment.blockOf(chunk), offset, length, startLine, before, after };
  });
  return {
    path,
    language: first?.view.segment.tables.language(first.chunk) ?? '',
    stored: storedDocument(places),
    chunks: readChunks,
    symbolOf: (at) => chunks[at]?.view.segment.tables.symbol(chunks[at].chunk),
    definitions: () =>
      chunks.flatMap(({ view, chunk }) => view.segment.tables.definitionSpans(chunk)),
    outline: () => outlineOfChunks(chunks),
  };
}
