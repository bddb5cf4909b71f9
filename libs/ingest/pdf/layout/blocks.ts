import { type Line, median, type Segment } from './page.js';
import { regionsOf } from './reading-order.js';
import { linesOf } from './segments.js';
import { alignedText, markdownTable, tableAt } from './tables.js';
import { isTitled } from './titles.js';

/**
 * Text that belongs together: a paragraph or a heading as its lines, a table or code as it is
 * shown.
 */
export type Block = TextBlock | { readonly kind: 'verbatim'; readonly text: string };

export interface TextBlock {
  readonly kind: 'text';
  readonly lines: readonly string[];
  readonly size: number;
  readonly bold: boolean;
  /**
   * Points between the line above and this block's first, in units of its font's height; large at
   * the top of a column.
   */
  readonly above: number;
  /** Whether it ends before the right edge of its column, as a paragraph's last line does. */
  readonly ends: boolean;
  readonly region: number;
}

const LIST_ITEM = /^(?:[•◦▪‣●○■□–—·-]\s|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s|\[[\w+]{1,8}\]\s)/;
const SECTION_NUMBER = /^(?:\p{Lu}|\d{1,3})(?:\.\d{1,3})*\.?\s+\p{Lu}/u;
/** Dots that lead from a title to its page. */
const SHORT_LEADER = /\. ?\. ?(?:\d{1,4}|[ivxlc]{1,7})$/;
const LEADER = /(?:\. ?){5}|…{2}|(?:· ?){5}/;

/**
 * Returns the blocks of one page in reading order. @param titles keys of the outline's titles on
 * this page: a line with one of them is a block by itself.
 */
export function blocksOf(segments: readonly Segment[], titles: ReadonlySet<string>): Block[] {
  return regionsOf(segments).flatMap((region, index) =>
    regionBlocks(withoutContents(linesOf(region)), index, titles),
  );
}

/**
 * Removes a list of contents, which repeats the headings. Three entries or more are such a list.
 */
function withoutContents(lines: readonly Line[]): readonly Line[] {
  const entries = lines.filter(({ text }) => LEADER.test(text));
  if (entries.length < 3) return lines;
  return lines.filter(
    ({ text }) =>
      !LEADER.test(text) &&
      !SHORT_LEADER.test(text) &&
      (text.length > 2 || entries.length < lines.length / 2),
  );
}

function regionBlocks(
  lines: readonly Line[],
  region: number,
  titles: ReadonlySet<string>,
): Block[] {
  const blocks: Block[] = [];
  const edges = {
    left: Math.min(...lines.map(({ x }) => x)),
    right: Math.max(...lines.map(({ right }) => right)),
  };
  const typical = median(lines.map(({ size }) => size));
  const gaps = lines.slice(1).map((line, index) => line.y - (lines[index] as Line).y);
  // A few gaps do not show the distance of lines.
  const pitch = gaps.length < 4 ? 1.25 * typical : median(gaps);
  const column: Column = {
    ...edges,
    pitch,
    typical,
    isTitle: ({ text }) => isTitled(text, titles),
  };
  for (let at = 0; at < lines.length;) {
    const code = codeEnd(lines, at);
    const table = code === at ? tableAt(lines, at) : undefined;
    const line = lines[at] as Line;
    if (code > at) {
      blocks.push({ kind: 'verbatim', text: fenced(lines.slice(at, code), 0.5) });
      at = code;
    } else if (table) {
      const taken = lines.slice(at, at + table.lines);
      blocks.push({
        kind: 'verbatim',
        text: table.rows ? markdownTable(table.rows) : fenced(taken, 0.5),
      });
      at += table.lines;
    } else {
      const end = paragraphEnd(lines, at, column);
      const taken = lines.slice(at, end);
      const above = at === 0 ? Infinity : (line.y - (lines[at - 1] as Line).y) / line.size;
      const last = taken.at(-1) as Line;
      blocks.push({
        kind: 'text',
        lines: taken.map(({ text }) => text),
        size: line.size,
        bold: taken.every(({ bold }) => bold),
        above,
        ends: last.right < edges.right - 2 * last.size || /[.:!?]["”’)]?$/.test(last.text),
        region,
      });
      at = end;
    }
  }
  return blocks;
}

/**
 * Returns the end of lines in a fixed-width font. A single short one may be a name in the text and
 * is left to the paragraphs.
 */
function codeEnd(lines: readonly Line[], first: number): number {
  let end = first;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as Line;
    const above = lines[end - 1];
    if (!line.mono) break;
    if (end > first && above && line.y - above.y > 4 * line.size) break;
  }
  return end;
}

function fenced(lines: readonly Line[], widthOfLetter: number): string {
  const widths = lines.flatMap(({ cells }) =>
    cells
      .filter(({ text }) => text.length > 4)
      .map(({ x, right, text }) => (right - x) / text.length),
  );
  const width = median(widths) || widthOfLetter * (lines[0]?.size ?? 10);
  const pitch = Math.min(...lines.slice(1).map((line, index) => line.y - (lines[index] as Line).y));
  const rows = alignedText(lines, width).split('\n');
  const spaced = rows.map((row, index) => {
    const above = lines[index - 1];
    return above && (lines[index] as Line).y - above.y > 1.7 * pitch ? `\n${row}` : row;
  });
  return ['```', ...spaced, '```'].join('\n');
}

/** Common measures of the lines in a column. */
interface Column {
  readonly left: number;
  readonly right: number;
  /** Distance of lines in a paragraph. */
  readonly pitch: number;
  readonly typical: number;
  isTitle(line: Line): boolean;
}

function paragraphEnd(lines: readonly Line[], first: number, column: Column): number {
  const { pitch, typical, ...edges } = column;
  const head = lines[first] as Line;
  const item = LIST_ITEM.test(head.text);
  let end = first + 1;
  if (column.isTitle(head)) return end;
  for (; end < lines.length; end += 1) {
    const [above, line] = [lines[end - 1] as Line, lines[end] as Line];
    const gap = line.y - above.y;
    if (column.isTitle(line)) break;
    const large = line.size > 1.15 * typical;
    if (gap > Math.max(1.35 * Math.min(pitch, 2 * line.size), (large ? 1.6 : 1.25) * line.size))
      break;
    if (line.mono && codeEnd(lines, end) - end > 1) break;
    const short = line.text.length < 30 && above.right > edges.right - 2 * above.size;
    if (
      Math.abs(line.size - above.size) > 0.08 * above.size ||
      (line.bold !== above.bold && !short)
    )
      break;
    const titled = large || (line.bold && above.bold);
    if (titled && SECTION_NUMBER.test(line.text)) break;
    if (titled) continue;
    if (LIST_ITEM.test(line.text) && (item || line.x <= head.x + 2 * line.size)) break;
    if (line.cells.length >= 2 && tableAt(lines, end)) break;
    const shift = (line.x - above.x) / line.size;
    const isFull = above.right > edges.right - 2 * above.size;
    // The first line of a paragraph is indented or outdented. The lines of an indented one continue
    // at the position of its second line.
    if (
      end - first === 1
        ? shift > 0.8 && !item && (!isFull || /[.:!?]$/.test(above.text))
        : Math.abs(shift) > 0.8
    )
      break;
    if (
      !isFull &&
      /[.:!?]["”’)]?$/.test(above.text) &&
      above.right < edges.right - 0.15 * (edges.right - edges.left)
    )
      break;
  }
  return end;
}
