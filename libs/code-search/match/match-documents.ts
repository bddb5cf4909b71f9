import { documentLines } from './document-lines.js';
import type { LineMatches } from './match-lines.js';
import type { MatchedLine, ScannedDocument } from './matched-line.js';
import type { QueryMatcher } from './query-matcher.js';
import { selectedLines } from './selected-lines.js';
import { type ShowMatches, shownLines } from './shown-lines.js';

/** Begin of a marker that replaces a secret. */
export const REDACTED = '[redacted:';

export interface MatchOptions {
  /** Matching lines after which the scan ends, with the document that it is in cut off. */
  readonly maxLines: number;
  /** Called between parts of a document; true ends the scan. */
  readonly isLate: () => boolean;
  /** Examines each line alone; default false. */
  readonly oneByOne?: boolean | undefined;
}

/** The matches of a document. */
export interface MatchedDocument {
  /** Index in the scanned documents. */
  readonly index: number;
  readonly lines: readonly MatchedLine[];
}

/** The documents that were scanned, with what is known of them. */
export interface ScannedRange {
  /** Documents that were scanned as a whole, from the first. */
  readonly examined: number;
  /** Lines of the next document up to which it was examined; 0 if it was not begun. */
  readonly examinedLines: number;
  /** Indexes of those documents whose text has markers of removed secrets. */
  readonly redacted: readonly number[];
  /** True if some of those documents may have blank lines that the index lacks. */
  readonly lacksBlankLines: boolean;
}

/** Options of a scan whose lines are shown. */
export interface ShownOptions extends MatchOptions {
  /** Lines around each match. */
  readonly contextLines: number;
}

export interface DocumentMatches extends ScannedRange {
  /** Matches of those documents, and of the examined lines of the next one. */
  readonly documents: readonly MatchedDocument[];
}

/** Returns the matching lines of documents, in order, up to the limits. */
export function matchDocuments(
  scanned: readonly ScannedDocument[],
  query: QueryMatcher,
  options: ShownOptions,
): DocumentMatches {
  const documents: MatchedDocument[] = [];
  const range = scanMatches(scanned, query, options, (index, document, found) =>
    documents.push({ index, lines: shownLines(document, found, options.contextLines) }),
  );
  return { ...range, documents };
}

/**
 * Scans documents, in order, up to the limits.
 * @param show called with the matches of each document; its text is valid until it returns.
 */
export function scanMatches(
  documents: readonly ScannedDocument[],
  query: QueryMatcher,
  { maxLines, isLate, oneByOne = false }: MatchOptions,
  show: ShowMatches<unknown>,
): ScannedRange {
  const redacted: number[] = [];
  let room = maxLines;
  let lacksBlankLines = false;
  const result = (examined: number, examinedLines: number): ScannedRange => {
    return { examined, examinedLines, redacted, lacksBlankLines };
  };
  for (const [index, scanned] of documents.entries()) {
    const { text, afterLine = 0, untilLine = Infinity } = scanned;
    const document = documentLines(text);
    lacksBlankLines ||= !document.hasBlankLines;
    const selected = query.select(scanned, document.lines);
    const found: LineMatches[] = [];
    let cut: number | undefined;
    const range = { from: afterLine, until: untilLine, oneByOne };
    for (const piece of selected ? selectedLines(scanned, document, selected, range) : []) {
      found.push(...piece.found.slice(0, room - found.length));
      const isFull = found.length === room;
      if (!isFull && !isLate()) continue;
      cut = isFull ? (found.at(-1)?.line ?? 0) + 1 : piece.end();
      break;
    }
    // A document that its path selects counts as one line.
    const isWithoutLines = selected && !selected.lines && !selected.symbols;
    if (found.length > 0 || isWithoutLines) show(index, document, found);
    room -= isWithoutLines ? 1 : found.length;
    const isCut = cut !== undefined && cut < document.lines.count;
    const isWhole = !isCut && (room > 0 || isWithoutLines) && untilLine === Infinity;
    if (!isWhole) return result(index, cut ?? Math.min(document.lines.count, untilLine));
    if (document.lines.bytes.includes(REDACTED)) redacted.push(index);
    if (isLate() || room === 0) return result(index + 1, 0);
  }
  return result(documents.length, 0);
}
