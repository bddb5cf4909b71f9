import type { DocumentLines } from './document-lines.js';
import type { LineText } from './line-text.js';
import type { LineMatches } from './match-lines.js';
import type { MatchedLine } from './matched-line.js';

/** Characters of a line that an answer shows. */
export const MOST_LINE_CHARACTERS = 1_000;
/** Ranges of a line that an answer shows. */
export const MOST_RANGES = 100;

/** Turns the matches of a document into what an answer shows of them. */
export type ShowMatches<Shown> = (
  index: number,
  document: DocumentLines,
  found: readonly LineMatches[],
) => Shown;

/** Returns matching lines with the lines around them; no line is shown twice. */
export function shownLines(
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

/** Returns the text of a line as an answer shows it. */
export function shownText(lines: LineText, start: number, end: number): string {
  return clipped(lines.part(start, end));
}

function clipped(text: string): string {
  return text.length > MOST_LINE_CHARACTERS
    ? text.slice(0, MOST_LINE_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
    : text;
}
