import type { ByteSpan, LineMatcher } from '../pattern/line-engine.port.js';
import type { LineText } from './line-text.js';
import { LineWindows } from './line-windows.js';

/** Characters that one call of the engine searches; a longer line is searched alone. */
const PIECE_CHARACTERS = 64 * 1024;
const LINE_FEED = 10;

/** The matches of one line, in bytes of the line. */
export interface LineMatches {
  /** Index of the line, from 0. */
  readonly line: number;
  readonly ranges: readonly ByteSpan[];
}

/** Some lines that were examined together. */
export interface MatchedPiece {
  /**
   * Number of lines from the first line of the document to the end of the piece. Without a match in
   * the range it is the end of the range, also past that of the document.
   */
  readonly end: number;
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
    yield { end: last, found: [] };
    return;
  }
  const until = Math.min(text.count, last);
  const most = oneByOne ? 1 : PIECE_CHARACTERS;
  for (let from = first, to = first; from < until; from = to) {
    const start = text.startOf(from);
    do to += 1;
    while (to < until && text.startOf(to) - start < most);
    const lines = windows?.lines(from, to);
    const found = lines
      ? matchSome(text, lines, matcher)
      : matchPiece(text.text.slice(text.startOf(from), text.endOf(to - 1)), matcher);
    yield { end: to, found: lines ? found : moved(found, (line) => from + line) };
  }
}

/** Searches some lines together. */
function matchSome(
  text: LineText,
  lines: readonly number[],
  matcher: LineMatcher,
): readonly LineMatches[] {
  if (lines.length === 0) return [];
  const joined = lines.map((line) => text.line(line)).join('\n');
  return moved(matchPiece(joined, matcher), (at) => lines[at] as number);
}

function moved(found: readonly LineMatches[], to: (line: number) => number): LineMatches[] {
  return found.map(({ line, ranges }) => ({ line: to(line), ranges }));
}

function matchPiece(text: string, matcher: LineMatcher): readonly LineMatches[] {
  const spans = matcher.find(text);
  if (spans.length === 0) return [];
  const bytes = Buffer.from(text);
  const found: { line: number; ranges: ByteSpan[] }[] = [];
  let line = 0;
  let start = 0;
  let end = endOfLine(bytes, start);
  for (const [from, to] of spans) {
    while (from > end) {
      line += 1;
      start = end + 1;
      end = endOfLine(bytes, start);
    }
    // A match over lines may hide matches within them, so each line is searched alone.
    if (to > end) return matchAlone(text, matcher);
    const last = found.at(-1);
    if (last?.line === line) last.ranges.push([from - start, to - start]);
    else found.push({ line, ranges: [[from - start, to - start]] });
  }
  return found;
}

function matchAlone(text: string, matcher: LineMatcher): readonly LineMatches[] {
  return text.split('\n').flatMap((each, line) => {
    const ranges = matcher.find(each);
    return ranges.length === 0 ? [] : [{ line, ranges }];
  });
}

function endOfLine(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(LINE_FEED, from);
  return at === -1 ? bytes.length : at;
}
