import { CHUNK_LIMITS, type RowRange } from './limits.js';
import type { LineTable } from './line-table.js';

/**
 * Cuts rows into chunks without knowing the language: blocks between blank lines are packed together up to the target
 * size, and a block that is larger is cut at line ends. The result tiles the range in order.
 */
export function packBlocks(lines: LineTable, range: RowRange): RowRange[] {
  const packed: RowRange[] = [];
  let open: RowRange | undefined;
  for (const block of blocks(lines, range)) {
    if (open !== undefined && lines.length(open.first, block.last) <= CHUNK_LIMITS.targetCharacters) {
      open = { ...open, last: block.last };
      continue;
    }
    if (open !== undefined) packed.push(open);
    const cut = cutRows(lines, block);
    open = cut.pop();
    packed.push(...cut);
  }
  if (open !== undefined) packed.push(open);
  return packed;
}

/** Runs of lines up to and including the blank lines that end them. */
function* blocks(lines: LineTable, range: RowRange): Generator<RowRange> {
  let first = range.first;
  for (let row = range.first; row <= range.last; row += 1) {
    const ends = row === range.last || (lines.isBlank(row) && !lines.isBlank(row + 1));
    if (!ends) continue;
    yield { ...range, first, last: row };
    first = row + 1;
  }
}

/** Whole lines up to the target size; a line that is larger alone stays alone. */
export function cutRows(lines: LineTable, range: RowRange): RowRange[] {
  const cut: RowRange[] = [];
  let first = range.first;
  for (let row = range.first + 1; row <= range.last; row += 1) {
    if (lines.length(first, row) <= CHUNK_LIMITS.targetCharacters) continue;
    cut.push({ ...range, first, last: row - 1 });
    first = row;
  }
  cut.push({ ...range, first, last: range.last });
  return cut;
}
