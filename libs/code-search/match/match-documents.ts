import { type DocumentLines, documentLines } from './document-lines.js';
import type { LineMatches } from './match-lines.js';
import type { MatchedLine, ScannedDocument } from './matched-line.js';
import type { QueryMatcher } from './query-matcher.js';
import { selectedLines } from './selected-lines.js';

/** Characters of a line that an answer shows. */
const MOST_LINE_CHARACTERS = 1_000;
/** Begin of a marker that replaces a secret. */
export const REDACTED = '[redacted:';
/** Ranges of a line that an answer shows. */
const MOST_RANGES = 100;

export interface MatchOptions {
  /** Lines around each match. */
  readonly contextLines: number;
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

export interface DocumentMatches {
  /** Documents that were scanned as a whole, from the first. */
  readonly examined: number;
  /** Lines of the next document up to which it was examined; 0 if it was not begun. */
  readonly examinedLines: number;
  /** Indexes of those documents whose text has markers of removed secrets. */
  readonly redacted: readonly number[];
  /** Matches of those documents, and of the examined lines of the next one. */
  readonly documents: readonly MatchedDocument[];
  /** True if some of those documents may have blank lines that the index lacks. */
  readonly lacksBlankLines: boolean;
}

/** Returns the matching lines of documents, in order, up to the limits. */
export function matchDocuments(
  documents: readonly ScannedDocument[],
  query: QueryMatcher,
  { contextLines, maxLines, isLate, oneByOne = false }: MatchOptions,
): DocumentMatches {
  const matched: MatchedDocument[] = [];
  const redacted: number[] = [];
  let room = maxLines;
  let lacksBlankLines = false;
  const result = (examined: number, examinedLines: number): DocumentMatches => {
    return { examined, examinedLines, redacted, documents: matched, lacksBlankLines };
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
    if (found.length > 0 || isWithoutLines)
      matched.push({ index, lines: shown(document, found, contextLines) });
    room -= isWithoutLines ? 1 : found.length;
    const isCut = cut !== undefined && cut < document.lines.count;
    const isWhole = !isCut && (room > 0 || isWithoutLines) && untilLine === Infinity;
    if (!isWhole) return result(index, cut ?? Math.min(document.lines.count, untilLine));
    if (document.lines.bytes.includes(REDACTED)) redacted.push(index);
    if (isLate() || room === 0) return result(index + 1, 0);
  }
  return result(documents.length, 0);
}

function shown(
  { lines, pieceAt }: DocumentLines,
  found: readonly LineMatches[],
  contextLines: number,
): MatchedLine[] {
  let shownTo = 0;
  return found.map(({ line, start, end, ranges }, at) => {
    const before: string[] = [];
    const after: string[] = [];
    if (contextLines > 0) {
      before.push(...lines.slice(Math.max(shownTo, line - contextLines), line));
      shownTo = Math.min(line + 1 + contextLines, found[at + 1]?.line ?? lines.count);
      after.push(...lines.slice(line + 1, shownTo));
    }
    const text = lines.part(start, end);
    return {
      number: line + 1,
      text: clipped(text),
      ranges: ranges.slice(0, MOST_RANGES),
      clipped: text.length > MOST_LINE_CHARACTERS,
      piece: pieceAt(line + 1),
      before: before.map(clipped),
      after: after.map(clipped),
    };
  });
}

function clipped(text: string): string {
  return text.length > MOST_LINE_CHARACTERS
    ? text.slice(0, MOST_LINE_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
    : text;
}
