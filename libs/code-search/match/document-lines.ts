import type { TextPiece } from './matched-line.js';

/** The lines of a document; index 0 is line 1. */
export interface DocumentLines {
  readonly lines: readonly string[];
  /** Returns the symbol of the piece that contains a line. */
  readonly symbolAt: (line: number) => string | undefined;
}

/**
 * Puts the lines of a document together from its pieces. Lines that belong to no piece are blank in
 * the source and empty here. A line that was too long for one piece is joined again. Pieces without
 * line numbers follow each other with a blank line between.
 */
export function documentLines(pieces: readonly TextPiece[]): DocumentLines {
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
  return {
    lines,
    symbolAt: (line) => pieces[starts.findLastIndex((start) => start < line)]?.symbol,
  };
}
