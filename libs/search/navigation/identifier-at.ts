import { documentLines } from '#code-search';
import { FootnoteError, validationFailed } from '#contracts';
import type { SearchIndex } from '#search-index';

import type { ScopedSource } from '../search-scope.js';

/** The place of an identifier in a live file. */
export interface CodePlace {
  readonly source_id: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** An identifier in a file. */
export interface PlacedIdentifier {
  readonly scoped: ScopedSource;
  readonly path: string;
  /** Language of the file, as citations show it. */
  readonly language: string;
  readonly line: number;
  /** Its first column, from 1. */
  readonly column: number;
  readonly name: string;
}

const WORD = /[\p{L}\p{N}_$]+/gu;
/** Characters around a column that can belong to its identifier. */
const REACH = 200;

/**
 * Returns the identifier at a place.
 * @throws FootnoteError `source_not_found`, `content_not_found`, or `validation_failed` if no
 * identifier is there.
 */
export async function identifierAt(
  index: SearchIndex,
  sources: readonly ScopedSource[],
  { source_id, path, line, column }: CodePlace,
): Promise<PlacedIdentifier> {
  const scoped = sources.find(({ source }) => source.sourceId === source_id);
  if (!scoped) throw new FootnoteError('source_not_found', 'Source not found');
  const chunks = await index.document(scoped.source, path);
  const [first] = chunks;
  if (!first)
    throw new FootnoteError(
      'content_not_found',
      'Path not found in the live version of the source',
    );
  const { lines } = documentLines({ pieces: chunks });
  const text = line <= lines.count ? lines.line(line - 1) : '';
  const from = Math.max(0, column - 1 - REACH);
  for (const found of text.slice(from, column + REACH).matchAll(WORD)) {
    const start = from + found.index + 1;
    if (start <= column && column <= start + found[0].length)
      return { scoped, path, language: first.language, line, column: start, name: found[0] };
  }
  const message = `must be a column of an identifier (line ${line}, column ${column} has none)`;
  throw validationFailed([{ field: 'column', message }]);
}
