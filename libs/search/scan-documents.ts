import type { ScannedDocument, TextPiece } from '#code-search';
import type { RequiredText } from '#contracts/content/required-text';
import type { ChunkFilter, IndexedChunk, IndexedOutline, SearchIndex } from '#search-index';

import { type ScanPlace, WHOLE } from './code-search-scope.js';
import type { ScopedSource } from './search-scope.js';

/** A document whose text was read. */
export interface ReadDocument {
  readonly scoped: ScopedSource;
  readonly language: string;
  readonly document: ScannedDocument;
  readonly outline: () => IndexedOutline;
}

/** The documents of a scan. */
export interface ScanRange {
  readonly filter: ChunkFilter | undefined;
  /** Continues after this place. */
  readonly after: ScanPlace | undefined;
  /** The condition that each document of interest meets. */
  readonly required: RequiredText;
  /** True if the query matches names of definitions. */
  readonly needsSymbols: boolean;
}

/**
 * Reads the documents of live generations in the order of sources and paths. A number stands for so
 * many documents that the index excludes; their text is not read.
 */
export async function* scanDocuments(
  index: Pick<SearchIndex, 'documents'>,
  sources: readonly ScopedSource[],
  { filter, after, required, needsSymbols }: ScanRange,
): AsyncIterable<ReadDocument | number> {
  const first = after ? sources.findIndex(({ source }) => source.sourceId === after.sourceId) : 0;
  for (const [at, scoped] of sources.slice(first).entries()) {
    const resumed = at === 0 ? after : undefined;
    const range = { from: resumed?.path, filter, required };
    for await (const read of index.documents(scoped.source, range)) {
      if ('excluded' in read) {
        yield read.excluded;
        continue;
      }
      const { path, chunks, outline } = read;
      const isResumed = resumed?.path === path;
      if (isResumed && resumed.line === WHOLE) continue;
      const language = chunks[0]?.language ?? '';
      const document = {
        path,
        repo: scoped.source.name,
        language,
        ...(needsSymbols && { symbols: symbolLines(outline()) }),
        pieces: chunks.map(pieceOf),
        ...(isResumed && { afterLine: resumed.line }),
      };
      yield { scoped, language, document, outline };
    }
  }
}

function pieceOf({ startLine, content, symbol, before, after }: IndexedChunk): TextPiece {
  return { startLine, content, symbol, before, after };
}

function symbolLines({ definitions }: IndexedOutline) {
  return definitions.map(({ name, start_line, place }) => ({
    name,
    line: place?.line ?? start_line,
  }));
}
