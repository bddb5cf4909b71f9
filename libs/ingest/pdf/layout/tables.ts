import type { Line, Segment } from './page.js';

/** A run of lines that belong together as a table. */
export interface TableLines {
  /** Number of its lines. */
  readonly lines: number;
  /** Rows of cells where every cell has its column; null if the columns are not clear. */
  readonly rows: readonly (readonly string[])[] | null;
}

const FEWEST_ROWS = 3;

interface Column {
  start: number;
  end: number;
}

/** Returns the table that begins with `lines[first]`; undefined if none does. */
export function tableAt(lines: readonly Line[], first: number): TableLines | undefined {
  const head = lines[first];
  if (!head || head.cells.length < 2) return undefined;
  let end = first + 1;
  for (; end < lines.length; end += 1) {
    const [above, line] = [lines[end - 1] as Line, lines[end] as Line];
    if (line.y - above.y > 3 * Math.max(above.size, line.size)) break;
    if (line.cells.length < 2 && !isWrapped(lines, first, end)) break;
  }
  while (
    end > first &&
    (lines[end - 1] as Line).cells.length < 2 &&
    !endsInColumn(lines, first, end)
  )
    end -= 1;
  const taken = lines.slice(first, end);
  if (taken.filter(({ cells }) => cells.length >= 2).length < FEWEST_ROWS) return undefined;
  const columns = columnsOf(taken);
  if (columns.length >= 2) return { lines: taken.length, rows: rowsOf(taken, columns) };
  const cells = taken.reduce((sum, line) => sum + line.cells.length, 0) / taken.length;
  return cells >= 3 ? { lines: taken.length, rows: null } : undefined;
}

/**
 * Returns whether a line has one cell that continues a cell of the row above, except in the first
 * column.
 */
function isWrapped(lines: readonly Line[], first: number, at: number): boolean {
  const [above, line] = [lines[at - 1] as Line, lines[at] as Line];
  const columns = columnsOf(lines.slice(first, at));
  const column = columns.findIndex(
    ({ start, end }) => line.x >= start - line.size && line.right <= end + 4 * line.size,
  );
  return column > 0 && line.y - above.y < 1.6 * line.size;
}

function endsInColumn(lines: readonly Line[], first: number, end: number): boolean {
  return isWrapped(lines, first, end - 1);
}

/**
 * Returns the columns of lines with several cells: intervals separated by a gap that no such cell
 * crosses.
 */
function columnsOf(lines: readonly Line[]): readonly Column[] {
  const cells = lines.filter((line) => line.cells.length >= 2).flatMap((line) => line.cells);
  const columns: Column[] = [];
  for (const cell of cells.toSorted((a, b) => a.x - b.x)) {
    const last = columns.at(-1);
    if (last && cell.x < last.end + 0.4 * cell.size) last.end = Math.max(last.end, cell.right);
    else columns.push({ start: cell.x, end: cell.right });
  }
  return columns;
}

function rowsOf(
  lines: readonly Line[],
  columns: readonly Column[],
): readonly (readonly string[])[] | null {
  const rows: string[][] = [];
  let pitch = Infinity;
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above) pitch = Math.min(pitch, line.y - above.y);
    const texts = columns.map(() => '');
    for (const cell of line.cells) {
      const at = columnOf(cell, columns);
      texts[at] = texts[at] === '' ? cell.text : `${texts[at] ?? ''} ${cell.text}`;
    }
    const last = rows.at(-1);
    if (texts[0] === '' && last && above && line.y - above.y < 1.6 * line.size) {
      for (const [at, text] of texts.entries())
        if (text !== '') last[at] = `${last[at] ?? ''} ${text}`.trim();
    } else rows.push(texts);
  }
  const filled = rows.flat().filter((text) => text !== '').length / (rows.length * columns.length);
  return rows.length >= 2 && filled >= 0.5 ? rows : null;
}

function columnOf(cell: Segment, columns: readonly Column[]): number {
  const middle = (cell.x + cell.right) / 2;
  const found = columns.findLastIndex(({ start }) => start <= middle);
  return Math.max(0, found);
}

/** Returns a table in Markdown, its first row as the head. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows.map((row) => row.map((text) => text.replace(/\|/g, '\\|')));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

/**
 * Returns lines with their cells at their positions on the page, one column of letters for each
 * `width` points.
 */
export function alignedText(lines: readonly Line[], width: number): string {
  const left = Math.min(...lines.map(({ x }) => x));
  return lines
    .map(({ cells }) =>
      cells.reduce((text, cell) => {
        const at = Math.min(200, Math.round((cell.x - left) / width));
        return text.padEnd(text === '' ? at : Math.max(at, text.length + 1)) + cell.text;
      }, ''),
    )
    .join('\n');
}
