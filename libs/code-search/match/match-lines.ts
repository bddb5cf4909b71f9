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

/**
 * Returns the lines that match, in order; each line is matched as if it were alone. Yields
 * `undefined` after each piece without a match, so that the caller can look at its deadline.
 */
export function* matchLines(
  lines: readonly string[],
  matcher: LineMatcher,
): Iterable<LineMatches | undefined> {
  const literal = matcher.requiredLiteral;
  for (let from = 0, to = 0; from < lines.length; from = to) {
    let characters = 0;
    do {
      characters += (lines[to] as string).length + 1;
      to += 1;
    } while (to < lines.length && characters < PIECE_CHARACTERS);
    const piece = lines.slice(from, to);
    const text = piece.join('\n');
    const found =
      literal !== undefined && !text.includes(literal) ? [] : matchPiece(piece, text, matcher);
    for (const { line, ranges } of found) yield { line: from + line, ranges };
    if (found.length === 0) yield undefined;
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
