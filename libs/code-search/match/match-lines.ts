import type { ByteSpan, LineMatcher } from '../pattern/line-engine.port.js';

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
  /** Number of lines from the first line of the document to the end of the piece. */
  readonly end: number;
  /** Lines that match, in order. */
  readonly found: readonly LineMatches[];
}

/** Lines to examine, and how many at once. */
export interface LineRange {
  /** Index of the first line. */
  readonly from: number;
  /** Index after the last line. */
  readonly until: number;
  /** Examines each line alone, so that a slow expression gets as far as it can. */
  readonly oneByOne: boolean;
}

/**
 * Examines lines in order, piece by piece, so that the caller can look at its deadline between
 * them. Each line is matched as if it were alone.
 */
export function* matchLines(
  lines: readonly string[],
  matcher: LineMatcher,
  { from: first, until, oneByOne }: LineRange,
): Iterable<MatchedPiece> {
  const literal = matcher.requiredLiteral;
  const most = oneByOne ? 1 : PIECE_CHARACTERS;
  for (let from = first, to = first; from < until; from = to) {
    let characters = 0;
    do {
      characters += (lines[to] as string).length + 1;
      to += 1;
    } while (to < until && characters < most);
    const piece = lines.slice(from, to);
    const text = piece.join('\n');
    const found =
      literal !== undefined && !text.includes(literal) ? [] : matchPiece(piece, text, matcher);
    yield { end: to, found: found.map(({ line, ranges }) => ({ line: from + line, ranges })) };
  }
}

function matchPiece(
  piece: readonly string[],
  text: string,
  matcher: LineMatcher,
): readonly LineMatches[] {
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
    if (to > end) return matchAlone(piece, matcher);
    const last = found.at(-1);
    if (last?.line === line) last.ranges.push([from - start, to - start]);
    else found.push({ line, ranges: [[from - start, to - start]] });
  }
  return found;
}

function matchAlone(piece: readonly string[], matcher: LineMatcher): readonly LineMatches[] {
  return piece.flatMap((text, line) => {
    const ranges = matcher.find(text);
    return ranges.length === 0 ? [] : [{ line, ranges }];
  });
}

function endOfLine(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(LINE_FEED, from);
  return at === -1 ? bytes.length : at;
}
