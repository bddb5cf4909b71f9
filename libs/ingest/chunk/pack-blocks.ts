import { CHUNK_LIMITS, type LineSpan } from './limits.js';
import type { LineTable } from './line-table.js';

/**
 * Cuts lines into chunks without knowledge of the language. Blocks between blank lines are packed
 * together up to the target size. A larger block is cut at line ends. The result tiles the range in
 * order.
 *
 * @param solid lines that stay with the line below; a block of such lines is cut only above the
 * hard limit.
 */
export function packBlocks(
  lines: LineTable,
  range: LineSpan,
  solid: ReadonlySet<number> = NO_LINES,
): LineSpan[] {
  const packed: LineSpan[] = [];
  let open: LineSpan | undefined;
  for (const block of blocks(lines, range, solid)) {
    if (
      open !== undefined &&
      lines.length(open.first, block.last) <= CHUNK_LIMITS.targetCharacters
    ) {
      open = { ...open, last: block.last };
      continue;
    }
    if (open !== undefined) packed.push(open);
    const whole =
      solid.has(block.first) &&
      lines.length(block.first, block.last) <= CHUNK_LIMITS.hardCharacters;
    const cut = whole ? [block] : cutLines(lines, block);
    open = cut.pop();
    packed.push(...cut);
  }
  if (open !== undefined) packed.push(open);
  return packed;
}

const NO_LINES: ReadonlySet<number> = new Set();

/** Returns runs of lines, each with the blank lines that follow it. */
function* blocks(
  lines: LineTable,
  range: LineSpan,
  solid: ReadonlySet<number>,
): Generator<LineSpan> {
  let first = range.first;
  for (let line = range.first; line <= range.last; line += 1) {
    const ends =
      line === range.last || (lines.isBlank(line) && !lines.isBlank(line + 1) && !solid.has(line));
    if (!ends) continue;
    yield { ...range, first, last: line };
    first = line + 1;
  }
}

/** Cuts a range into whole lines up to the target size; a larger line remains alone. */
function cutLines(lines: LineTable, range: LineSpan): LineSpan[] {
  const cut: LineSpan[] = [];
  let first = range.first;
  for (let line = range.first + 1; line <= range.last; line += 1) {
    if (lines.length(first, line) <= CHUNK_LIMITS.targetCharacters) continue;
    cut.push({ ...range, first, last: line - 1 });
    first = line;
  }
  cut.push({ ...range, first, last: range.last });
  return cut;
}
