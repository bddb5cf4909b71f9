import { LineText } from './line-text.js';
import type { TextPiece } from './matched-line.js';

/** The lines of a document. */
export interface DocumentLines {
  readonly lines: LineText;
  /** True if blank lines are those of the document; the index may lack those between pieces. */
  readonly hasBlankLines: boolean;
  /** Returns the symbol of the piece that contains a line. */
  readonly symbolAt: (line: number) => string | undefined;
}

/**
 * Puts the lines of a document together from its pieces. If what stands between the pieces is
 * known, these are the lines of the document. Otherwise lines that belong to no piece are empty
 * here. A line that was too long for one piece is joined again. Pieces without line numbers follow
 * each other with a blank line between.
 */
export function documentLines(pieces: readonly TextPiece[]): DocumentLines {
  const whole = wholeText(pieces);
  if (whole !== undefined) {
    const starts = pieces.map(({ startLine = 1 }) => startLine - 1);
    const lines = new LineText(whole);
    return { lines, hasBlankLines: true, symbolAt: symbolsOf(pieces, starts) };
  }
  const lines: string[] = [];
  const starts: number[] = [];
  const isNumbered = pieces.every(({ startLine }) => startLine !== undefined);
  for (const { startLine, content } of pieces) {
    const follows = lines.length === 0 ? 0 : lines.length + 1;
    const first = isNumbered ? (startLine ?? 1) - 1 : follows;
    starts.push(first);
    while (lines.length < first) lines.push('');
    for (const [offset, text] of content.split('\n').entries()) {
      const at = first + offset;
      lines[at] = (lines[at] ?? '') + text;
    }
  }
  // A last line that is empty is a line, other than after a line feed at the end of a file.
  const text = new LineText(lines.at(-1) === '' ? `${lines.join('\n')}\n` : lines.join('\n'));
  return { lines: text, hasBlankLines: false, symbolAt: symbolsOf(pieces, starts) };
}

/** Returns the text with what stands between the pieces; undefined if that was not recorded. */
function wholeText(pieces: readonly TextPiece[]): string | undefined {
  const end = pieces.at(-1)?.after;
  if (end === undefined || pieces.some(({ before }) => before === undefined)) return undefined;
  return `${pieces.map(({ before = '', content }) => before + content).join('')}${end}`;
}

function symbolsOf(pieces: readonly TextPiece[], starts: readonly number[]) {
  return (line: number): string | undefined =>
    pieces[starts.findLastIndex((start) => start < line)]?.symbol;
}
