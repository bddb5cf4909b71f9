import { outlineOf } from '../outline-of.js';
import { isDropped } from '../pack/dropped-bitmap.js';
import type { IndexedChunk, IndexedOutline } from '../search-index.port.js';
import type { SegmentView } from './store/loaded-generation.js';
import type { Segment } from './store/segment.js';

/**
 * Returns the text of each chunk, read from disk; undefined if no view has it.
 * @throws BadSectionsError for damaged text.
 */
export function readContents(
  views: readonly SegmentView[],
  chunkIds: readonly string[],
): (string | undefined)[] {
  return chunkIds.map((chunkId) => {
    for (const { segment, dropped } of views) {
      const chunk = segment.tables.findChunk(chunkId);
      if (chunk !== -1 && !isDropped(dropped, chunk)) return segment.text(chunk);
    }
    return undefined;
  });
}

/**
 * Returns the chunks of a document in order, text included.
 * @throws BadSectionsError for damaged text.
 */
export function readDocument(views: readonly SegmentView[], path: string): IndexedChunk[] {
  const [view] = views;
  if (!view) return [];
  const { sourceId } = view.source;
  return chunksOf(views, path).map(({ view: { segment }, chunk }) =>
    indexedChunk(segment, chunk, { sourceId, path }),
  );
}

/** A chunk of a document. */
export interface DocumentChunk {
  readonly view: SegmentView;
  readonly chunk: number;
}

/** Returns the chunks of a document in its order. */
export function chunksOf(views: readonly SegmentView[], path: string): readonly DocumentChunk[] {
  const chunks: (DocumentChunk & { readonly ordinal: number })[] = [];
  let isInOrder = true;
  let last = -1;
  for (const view of views) {
    const { tables } = view.segment;
    const { first, end } = tables.document(path);
    for (let chunk = first; chunk < end; chunk++) {
      if (isDropped(view.dropped, chunk)) continue;
      const ordinal = tables.ordinal(chunk);
      isInOrder &&= ordinal >= last;
      last = ordinal;
      chunks.push({ ordinal, chunk, view });
    }
  }
  return isInOrder ? chunks : chunks.sort((a, b) => a.ordinal - b.ordinal);
}

/** Returns what the chunks of a document define; reads tables alone. */
export function outlineOfChunks(chunks: readonly DocumentChunk[]): IndexedOutline {
  return outlineOf(
    chunks.map(({ chunk, view: { segment } }) => ({
      defs: segment.tables.defs(chunk),
      definitions: segment.tables.definitions(chunk),
      members: segment.tables.members(chunk),
    })),
  );
}

export function* chunkIdsOf(views: readonly SegmentView[]): Iterable<string> {
  for (const { segment, dropped } of views) {
    const { tables } = segment;
    for (let chunk = 0; chunk < tables.chunkCount; chunk++) {
      if (!isDropped(dropped, chunk)) yield tables.chunkId(chunk);
    }
  }
}

/** Takes the path from the caller, so that it is not decoded for each chunk. */
function indexedChunk(
  segment: Segment,
  chunk: number,
  { sourceId, path }: Pick<IndexedChunk, 'sourceId' | 'path'>,
): IndexedChunk {
  const { tables } = segment;
  const { before, after } = tables.gap(chunk);
  return {
    chunkId: tables.chunkId(chunk),
    sourceId,
    path,
    fragment: tables.fragment(chunk),
    ordinal: tables.ordinal(chunk),
    startLine: tables.startLine(chunk),
    endLine: tables.endLine(chunk),
    content: segment.text(chunk),
    tokenCount: tables.tokenCount(chunk),
    symbol: tables.symbol(chunk),
    language: tables.language(chunk),
    chunkType: tables.chunkType(chunk),
    before,
    after,
  };
}
