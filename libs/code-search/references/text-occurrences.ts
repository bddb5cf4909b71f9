import { LineTable } from '#ingest/chunk/line-table';

import type { NameOccurrence, NamePlace } from './name-occurrence.js';
import { wordPlaces } from './word-places.js';

/** Returns the occurrences of a name as a whole word, in comments and strings too. */
export function textOccurrences(text: string, name: string): readonly NameOccurrence[] {
  const lines = new LineTable(text);
  return wordPlaces(text, name).map((start) => ({
    ...placeAt(lines, start),
    isImport: false,
    binding: { kind: 'unknown' },
  }));
}

/** Returns the place of an offset, in lines and columns from 1. */
export function placeAt(lines: LineTable, offset: number): NamePlace {
  const line = lines.lineAt(offset);
  return { line: line + 1, column: offset - lines.startOf(line) + 1 };
}
