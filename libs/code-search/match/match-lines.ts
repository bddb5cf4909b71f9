import type { ByteSpan, LineMatcher } from '../pattern/line-engine.port.js';
import { LineCounter } from './line-counter.js';
import type { LineText } from './line-text.js';
import { type LineSpan, LineWindows } from './line-windows.js';

/** Bytes of text that are searched together; a longer line is searched alone. */
const PIECE_BYTES = 64 * 1024;

/** The matches of one line, in bytes of the line. */
export interface LineMatches extends LineSpan {
  /** Index of the line, from 0. */
  readonly line: number;
  readonly ranges: readonly ByteSpan[];
}

/** Some lines that were examined together. */
export interface MatchedPiece {
  /**
   * Returns the number of lines from the first line of the document to the end of the piece.
   * Without a match in the range it is the end of the range, also past that of the document. It is
   * asked before the next piece.
   */
  readonly end: () => number;
  /** Lines that match, in order. */
  readonly found: readonly LineMatches[];
}

/** Lines to examine, and how many at once. */
export interface LineRange {
  /** Index of the first line. */
  readonly from: number;
  /** Index after the last line; default: the end of the document. */
  readonly until?: number | undefined;
  /** Examines each line alone, so that a slow expression gets as far as it can. */
  readonly oneByOne: boolean;
}

/**
 * Examines lines in order, piece by piece, so that the caller can look at its deadline between
 * them. Each line is matched as if it were alone. The engine searches only lines with a text that
 * each match needs.
 */
export function* matchLines(
  text: LineText,
  matcher: LineMatcher,
  { from: first, until: last = Infinity, oneByOne }: LineRange,
): Iterable<MatchedPiece> {
  const windows = LineWindows.of(text, matcher);
  if (windows?.isEmpty) {
    // The lines of a document without a match need not be counted.
    yield { end: () => last, found: [] };
    return;
  }
  const { bytes } = text;
  const until = last === Infinity ? bytes.length : text.offsetOf(last);
  const start = text.offsetOf(first);
  const counter = new LineCounter(bytes, first, start);
  const most = oneByOne ? 1 : PIECE_BYTES;
  for (let from = start; from < until;) {
    const to = Math.min(until, text.lineEnd(Math.min(from + most, until) - 1) + 1);
    const found = windows
      ? matchSome(text, windows.lines(from, to), matcher)
      : matchPiece(text, { start: from, end: to }, matcher);
    yield { end: () => counter.linesBefore(to), found: found.map(numbered(counter)) };
    from = to;
  }
}

type LineRanges = Omit<LineMatches, 'line'>;

function numbered(counter: LineCounter) {
  return ({ start, end, ranges }: LineRanges): LineMatches => {
    return { line: counter.lineAt(start), start, end, ranges };
  };
}

/** Searches some lines together. */
function matchSome(
  { bytes }: LineText,
  lines: readonly LineSpan[],
  matcher: LineMatcher,
): readonly LineRanges[] {
  if (lines.length === 0) return [];
  const found: (LineSpan & { readonly ranges: ByteSpan[] })[] = [];
  let index = 0;
  let line = lines[index] as LineSpan;
  // Where the line begins in the joined lines.
  let begin = 0;
  for (const [from, to] of matcher.find(joined(bytes, lines))) {
    while (from > begin + line.end - line.start) {
      begin += line.end - line.start + 1;
      line = lines[(index += 1)] as LineSpan;
    }
    // A match over lines may hide matches within them, so each line is searched alone.
    if (to > begin + line.end - line.start) return matchAlone(bytes, lines, matcher);
    const last = found.at(-1);
    const range: ByteSpan = [from - begin, to - begin];
    if (last?.start === line.start) last.ranges.push(range);
    else found.push({ start: line.start, end: line.end, ranges: [range] });
  }
  return found;
}

/** Returns lines with a line feed between; those that follow each other are copied together. */
function joined(bytes: Buffer, lines: readonly LineSpan[]): Buffer {
  const length = lines.reduce((sum, { start, end }) => sum + end - start + 1, -1);
  const text = Buffer.allocUnsafe(length);
  let at = 0;
  for (let from = 0, to = 0; from < lines.length; from = to) {
    const { start } = lines[from] as LineSpan;
    let { end } = lines[from] as LineSpan;
    for (to += 1; lines[to]?.start === end + 1; to += 1) ({ end } = lines[to] as LineSpan);
    // The line feed after the last line, too.
    at += bytes.copy(text, at, start, end + 1);
  }
  return text;
}

/** Searches neighboring lines together. */
function matchPiece(text: LineText, piece: LineSpan, matcher: LineMatcher): readonly LineRanges[] {
  const { bytes } = text;
  const found: (LineSpan & { readonly ranges: ByteSpan[] })[] = [];
  let start = piece.start;
  let end = text.lineEnd(start);
  for (const span of matcher.find(bytes.subarray(piece.start, lastEnd(text, piece)))) {
    const [from, to] = [span[0] + piece.start, span[1] + piece.start];
    if (from > end) {
      start = text.lineStart(from);
      end = text.lineEnd(from);
    }
    if (to > end) return matchAlone(bytes, linesOf(text, piece), matcher);
    const last = found.at(-1);
    if (last?.start === start) last.ranges.push([from - start, to - start]);
    else found.push({ start, end, ranges: [[from - start, to - start]] });
  }
  return found;
}

/** Returns the end of the last line of a piece, without its line feed. */
function lastEnd(text: LineText, { end }: LineSpan): number {
  return text.lineEnd(end - 1);
}

function linesOf(text: LineText, piece: LineSpan): readonly LineSpan[] {
  const lines: LineSpan[] = [];
  for (let start = piece.start; start < piece.end;) {
    const end = text.lineEnd(start);
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

function matchAlone(
  bytes: Buffer,
  lines: readonly LineSpan[],
  matcher: LineMatcher,
): readonly LineRanges[] {
  return lines.flatMap(({ start, end }) => {
    const ranges = matcher.find(bytes.subarray(start, end));
    return ranges.length === 0 ? [] : [{ start, end, ranges }];
  });
}
