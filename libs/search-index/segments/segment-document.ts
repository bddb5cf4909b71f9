import { RUN_COLUMNS, type StoredDocument } from '../pack/stored-document.js';
import type { StoredPack } from '../pack/stored-pack.js';
import type { IndexedChunk, IndexedDocument } from '../search-index.port.js';
import { chunksOf, type DocumentChunk, outlineOfChunks } from './chunk-reader.js';
import type { SegmentView } from './store/loaded-generation.js';

/** Neighboring chunks of a pack, as a half-open range. */
interface ChunkRun {
  readonly view: SegmentView;
  readonly first: number;
  end: number;
}

/** Returns a document without reading its text; what it defines is decoded when it is needed. */
export function segmentDocument(
  views: readonly SegmentView[],
  path: string,
  readChunks: () => Promise<readonly IndexedChunk[]>,
): IndexedDocument {
  const runs = runsOf(views, path);
  const [first] = runs;
  let read: readonly DocumentChunk[] | undefined;
  const chunks = () => (read ??= chunksOf(views, path));
  return {
    path,
    language: first?.view.segment.tables.language(first.first) ?? '',
    stored: storedDocument(runs),
    chunks: readChunks,
    symbolOf: (at) => {
      const found = chunks()[at];
      return found?.view.segment.tables.symbol(found.chunk);
    },
    definitions: () =>
      chunks().flatMap(({ view, chunk }) => view.segment.tables.definitionSpans(chunk)),
    outline: () => outlineOfChunks(chunks()),
  };
}

/** Returns the chunks of a document in its order, without an object for each. */
function runsOf(views: readonly SegmentView[], path: string): readonly ChunkRun[] {
  const [only, ...others] = views;
  if (only && others.length === 0 && !only.dropped) {
    // A pack has the chunks of a document in its order.
    const { first, end } = only.segment.tables.document(path);
    return first === end ? [] : [{ view: only, first, end }];
  }
  const runs: ChunkRun[] = [];
  for (const { view, chunk } of chunksOf(views, path)) {
    const last = runs.at(-1);
    if (last?.view === view && last.end === chunk) last.end += 1;
    else runs.push({ view, first: chunk, end: chunk + 1 });
  }
  return runs;
}

function storedDocument(runs: readonly ChunkRun[]): StoredDocument {
  const packs: StoredPack[] = [];
  const numbers = new Uint32Array(runs.length * RUN_COLUMNS);
  let bytes = 0;
  for (const [index, { view, first, end }] of runs.entries()) {
    const { stored, tables } = view.segment;
    if (packs.at(-1) !== stored) packs.push(stored);
    numbers.set([packs.length - 1, first, end], index * RUN_COLUMNS);
    for (let chunk = first; chunk < end; chunk += 1) bytes += tables.textLength(chunk);
  }
  return { packs, runs: numbers, bytes };
}
