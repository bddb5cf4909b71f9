import type { PostedDocument, TextPiece } from '#code-search';
import type { RequiredText } from '#contracts/content/required-text';
import { TimeSlices } from '#platform';
import type {
  ChunkFilter,
  IndexedChunk,
  IndexedDocument,
  IndexedOutline,
  SearchIndex,
} from '#search-index';

import { type ScanPlace, WHOLE } from './code-search-scope.js';
import type { ScopedSource } from './search-scope.js';

/** A document to match, as a thread gets it and as the index has it. */
export interface DocumentToScan {
  readonly scoped: ScopedSource;
  readonly document: PostedDocument;
  readonly indexed: IndexedDocument;
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
 * Returns the documents of live generations in the order of sources and paths. A number stands for
 * so many documents that the index excludes; their text is not read.
 */
export async function* scanDocuments(
  index: Pick<SearchIndex, 'documents'>,
  sources: readonly ScopedSource[],
  { filter, after, required, needsSymbols }: ScanRange,
): AsyncIterable<DocumentToScan | number> {
  const first = after ? sources.findIndex(({ source }) => source.sourceId === after.sourceId) : 0;
  // Thousands of small sources take longer together than the event loop may be held.
  const slices = new TimeSlices();
  for (const [at, scoped] of sources.slice(first).entries()) {
    if (slices.isUsedUp) await slices.pause();
    const resumed = at === 0 ? after : undefined;
    const range = { from: resumed?.path, filter, required };
    for await (const read of index.documents(scoped.source, range)) {
      if ('excluded' in read) {
        yield read.excluded;
        continue;
      }
      const { path, language, stored } = read;
      const isResumed = resumed?.path === path;
      if (isResumed && resumed.line === WHOLE) continue;
      const document = {
        path,
        repo: scoped.source.name,
        language,
        ...(needsSymbols && { symbols: symbolLines(read.outline()) }),
        ...(isResumed && { afterLine: resumed.line }),
      };
      const text = stored ?? (await textOf(read));
      yield { scoped, document: { ...document, text }, indexed: read };
    }
  }
}

/** Reads the text of a document for a thread. */
export async function textOf(
  document: Pick<IndexedDocument, 'chunks'>,
): Promise<{ readonly pieces: readonly TextPiece[] }> {
  return { pieces: (await document.chunks()).map(pieceOf) };
}

function pieceOf({ startLine, content, before, after }: IndexedChunk): TextPiece {
  return { startLine, content, before, after };
}

function symbolLines({ definitions }: IndexedOutline) {
  return definitions.map(({ name, start_line, place }) => ({
    name,
    line: place?.line ?? start_line,
  }));
}
