import type { WholeDocument } from '#search-index/pack/stored-document-reader';

import { LineText } from './line-text.js';
import type { DocumentText, TextPiece } from './matched-line.js';

/** The lines of a document. */
export interface DocumentLines {
  readonly lines: LineText;
  /** True if blank lines are those of the document; the index may lack those between pieces. */
  readonly hasBlankLines: boolean;
  /** Returns the index of the piece that contains a line; undefined before the first. */
  readonly pieceAt: (line: number) => number | undefined;
}

/**
 * Returns the lines of a document. If what stands between its pieces is known, these are the lines
 * of the document. Otherwise lines that belong to no piece are empty here. A line that was too long
 * for one piece is joined again. Pieces without line numbers follow each other with a blank line
 * between.
 */
export function documentLines(document: DocumentText): DocumentLines {
  const whole = 'text' in document ? document : wholeDocument(document.pieces);
  if (whole)
    return {
      lines: new LineText(whole.text),
      hasBlankLines: true,
      pieceAt: piecesOf(whole.starts),
    };
  return linesOfPieces('pieces' in document ? document.pieces : []);
}

function linesOfPieces(pieces: readonly TextPiece[]): DocumentLines {
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
  return { lines: text, hasBlankLines: false, pieceAt: piecesOf(starts) };
}

/** Returns the text with what stands between the pieces; undefined if that was not recorded. */
function wholeDocument(pieces: readonly TextPiece[]): WholeDocument | undefined {
  const end = pieces.at(-1)?.after;
  if (end === undefined || pieces.some(({ before }) => before === undefined)) return undefined;
  const text = `${pieces.map(({ before = '', content }) => before + content).join('')}${end}`;
  return { text, starts: pieces.map(({ startLine = 1 }) => startLine - 1) };
}

function piecesOf(starts: readonly number[]) {
  return (line: number): number | undefined => {
    const piece = starts.findLastIndex((start) => start < line);
    return piece === -1 ? undefined : piece;
  };
}
