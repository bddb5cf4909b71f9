import type { ByteSpan } from '../pattern/line-engine.port.js';
import type { DocumentLines } from './document-lines.js';
import type { LineText } from './line-text.js';
import { type LineMatches, type LineRange, type MatchedPiece, matchLines } from './match-lines.js';
import type { ScannedDocument } from './matched-line.js';
import type { DocumentMatcher } from './query-matcher.js';

/** Returns the lines of a document that match its selected terms, piece by piece. */
export function* selectedLines(
  document: ScannedDocument,
  { lines }: DocumentLines,
  { lines: matcher, symbols }: DocumentMatcher,
  range: LineRange,
): Iterable<MatchedPiece> {
  const named = symbols ? symbolLines(document, lines, symbols, range) : [];
  if (!matcher) {
    if (named.length > 0)
      yield { end: () => Math.min(lines.count, range.until ?? Infinity), found: named };
    return;
  }
  let next = 0;
  for (const { end, found } of matchLines(lines, matcher, range)) {
    const from = next;
    while (next < named.length && (named[next] as LineMatches).line < end()) next += 1;
    yield { end, found: merged(found, named.slice(from, next)) };
  }
}

/** Returns the lines of definitions whose names match, with the places of the names. */
function symbolLines(
  { symbols = [] }: ScannedDocument,
  lines: LineText,
  matcher: NonNullable<DocumentMatcher['symbols']>,
  { from, until = Infinity }: LineRange,
): readonly LineMatches[] {
  const found = new Map<number, ByteSpan[]>();
  const spanOf = (line: number) => {
    const start = lines.offsetOf(line);
    return { start, end: lines.lineEnd(start) };
  };
  for (const { name, line } of symbols) {
    const isInRange = line > from && line <= Math.min(until, lines.count);
    if (!isInRange || matcher.find(name).length === 0) continue;
    const text = lines.line(line - 1);
    const at = text.indexOf(name);
    const start = Buffer.byteLength(text.slice(0, Math.max(0, at)));
    const span: ByteSpan = [start, start + (at === -1 ? 0 : Buffer.byteLength(name))];
    found.set(line - 1, [...(found.get(line - 1) ?? []), span]);
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([line, ranges]) => ({ line, ...spanOf(line), ranges }));
}

/** Joins the matches of lines; a line with both shows the ranges of its text. */
function merged(
  found: readonly LineMatches[],
  named: readonly LineMatches[],
): readonly LineMatches[] {
  if (named.length === 0) return found;
  const byLine = new Map(named.map((each) => [each.line, each]));
  for (const each of found) byLine.set(each.line, each);
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}
