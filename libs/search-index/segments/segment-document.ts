import { type StoredDocument, StoredDocumentBuilder } from '../pack/stored-document.js';
import type { BlockPlace } from '../pack/text-blocks.js';
import type { IndexedChunk, IndexedDocument } from '../search-index.port.js';
import { chunksOf, type DocumentChunk, outlineOfChunks } from './chunk-reader.js';
import type { SegmentView } from './store/loaded-generation.js';

/** Returns a document without reading its text; what it defines is decoded when it is needed. */
export function segmentDocument(
  views: readonly SegmentView[],
  path: string,
  readChunks: () => Promise<readonly IndexedChunk[]>,
): IndexedDocument {
  const chunks = chunksOf(views, path);
  const [first] = chunks;
  return {
    path,
    language: first?.view.segment.tables.language(first.chunk) ?? '',
    stored: storedDocument(chunks),
    chunks: readChunks,
    symbolOf: (at) => chunks[at]?.view.segment.tables.symbol(chunks[at].chunk),
    definitions: () =>
      chunks.flatMap(({ view, chunk }) => view.segment.tables.definitionSpans(chunk)),
    outline: () => outlineOfChunks(chunks),
  };
}

function storedDocument(chunks: readonly DocumentChunk[]): StoredDocument {
  const stored = new StoredDocumentBuilder();
  let place: (BlockPlace & { readonly file: number }) | undefined;
  let last:
    { readonly segment: DocumentChunk['view']['segment']; readonly block: number } | undefined;
  for (const {
    view: { segment },
    chunk,
  } of chunks) {
    const { tables } = segment;
    const [block, offset, length] = tables.textSpan(chunk);
    // Most chunks are in the block of the chunk before.
    if (!place || last?.segment !== segment || last.block !== block) {
      place = { ...segment.blockOf(chunk), file: stored.file(segment.file) };
      last = { segment, block };
    }
    const { before, after } = tables.gap(chunk);
    const gaps = [stored.gap(before), stored.gap(after)] as const;
    stored.add(place.file, place, offset, length, tables.startLine(chunk), ...gaps);
  }
  return stored.document();
}
