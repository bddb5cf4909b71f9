import { posix } from 'node:path';

import type { PlacedOccurrence } from '#code-search/scip/occurrence-table-builder';
import { OccurrenceTableBuilder } from '#code-search/scip/occurrence-table-builder';
import {
  readScipDocument,
  type ScipDocument,
  scipOccurrences,
} from '#code-search/scip/scip-document';
import { type ByteFile, scipDocuments } from '#code-search/scip/scip-documents';
import { ScipError } from '#code-search/scip/scip-error';
import { utf16Column } from '#code-search/scip/utf16-column';
import { validationFailed } from '#contracts';
import type { ScipLeftOut } from '#contracts/http/index';
import { TimeSlices } from '#platform';

/** Columns are converted in lines of up to so many characters; longer ones are minified. */
const MOST_LINE = 10_000;

/** The files of the version that was indexed. */
export interface IndexedFiles {
  /** Returns the version of an indexed file; undefined for any other path. */
  versionOf(path: string): string | undefined;
  /** Reports whether a text is that of a file. */
  isText(path: string, text: Uint8Array): Promise<boolean>;
  /** Returns the lines of a file. */
  lines(path: string): Promise<readonly string[]>;
}

/** Occurrences of an index, and the numbers of documents that it has besides. */
export interface ConvertedScip {
  readonly table: OccurrenceTableBuilder;
  /** Paths of the documents in the table. */
  readonly paths: ReadonlySet<string>;
  readonly leftOut: ScipLeftOut;
}

/**
 * Reads an index document by document and collects the occurrences in files of the version.
 * @param root folder of the source that the paths of the index begin in.
 * @throws FootnoteError `validation_failed` for bytes that are no index or exceed a limit, and for
 * an index without a file of the version.
 */
export async function convertScip(
  file: ByteFile,
  files: IndexedFiles,
  root: string,
): Promise<ConvertedScip> {
  const slices = new TimeSlices();
  const table = new OccurrenceTableBuilder(slices);
  const paths = new Set<string>();
  const leftOut = { unknown_file: 0, other_text: 0, repeated: 0 };
  let firstUnknown: string | undefined;
  try {
    for await (const bytes of scipDocuments(file)) {
      if (slices.isUsedUp) await slices.pause();
      const document = await readScipDocument(bytes, slices);
      const path = posix.join(root, document.path);
      const version = files.versionOf(path);
      if (version === undefined) {
        firstUnknown ??= path;
        leftOut.unknown_file += 1;
      } else if (paths.has(path)) leftOut.repeated += 1;
      else if (document.text && !(await files.isText(path, document.text))) leftOut.other_text += 1;
      else {
        paths.add(path);
        await table.add({ path, version }, await occurrencesOf(document, path, files, slices));
      }
    }
  } catch (error) {
    if (!(error instanceof ScipError)) throw error;
    throw validationFailed([{ field: 'body', message: error.message }]);
  }
  if (paths.size === 0) throw validationFailed([{ field: 'body', message: foreign(firstUnknown) }]);
  return { table, paths, leftOut };
}

async function occurrencesOf(
  document: ScipDocument,
  path: string,
  files: IndexedFiles,
  slices: TimeSlices,
): Promise<readonly PlacedOccurrence[]> {
  const { units } = document;
  const lines = units === 'utf16' ? [] : await files.lines(path);
  const placed: PlacedOccurrence[] = [];
  for await (const batch of scipOccurrences(document, slices))
    for (const { symbol, ...occurrence } of batch) {
      const text = Buffer.from(symbol.buffer, symbol.byteOffset, symbol.byteLength);
      const line = lines[occurrence.line] ?? '';
      const column =
        units === 'utf16'
          ? occurrence.column
          : line.length > MOST_LINE
            ? undefined
            : utf16Column(line, occurrence.column, units);
      if (column !== undefined)
        placed.push({ ...occurrence, column, symbol: text.toString('latin1') });
    }
  return placed;
}

function foreign(firstUnknown: string | undefined): string {
  const example = firstUnknown === undefined ? '' : ` (the first is ${firstUnknown.slice(0, 200)})`;
  return `has no document for a file of this version${example}; check version_ref and root`;
}
