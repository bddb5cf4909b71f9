import { type HtmlElement, isElement } from './html-tree.js';
import { textOfElement } from './inline-text.js';
import type { MainContent } from './main-content.js';

/** A longer table continues as another with the same head: a reader may see one part alone. */
const PART_CHARACTERS = 1_300;
const MOST_COLUMNS = 30;
/** Most characters of a cell; a table with a longer one is not a table of data. */
const CELL_CHARACTERS = 1_000;

/** Elements that show, in a cell, that the table lays out a page. */
const LAYOUT: ReadonlySet<string> = new Set([
  'table',
  'pre',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'dl',
  'section',
  'article',
]);

/** Returns whether a table contains data and is shown as a table. */
export function isDataTable({ nodes }: MainContent, at: number): boolean {
  const table = nodes[at] as HtmlElement;
  if (table.attributes['role'] === 'presentation') return false;
  let cells = 0;
  for (let place = at + 1; place < table.end; place += 1) {
    const node = nodes[place];
    if (!isElement(node)) continue;
    if (LAYOUT.has(node.name)) return false;
    if (node.name === 'td' || node.name === 'th') cells += 1;
  }
  return cells > 1;
}

interface Row {
  readonly cells: readonly string[];
  readonly isHead: boolean;
}

/**
 * Returns a table in Markdown: one block, or for a long table several with the same head. A caption
 * comes first.
 */
export function tableBlocks(content: MainContent, at: number): string[][] {
  const { caption, rows } = readRows(content, at);
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const widest = filled.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const width = Math.min(MOST_COLUMNS, widest);
  const blocks = caption === '' ? [] : [[caption]];
  if (filled.length === 0) return blocks;
  if (
    width < 2 ||
    filled.some(({ cells }) => cells.some((cell) => cell.length > CELL_CHARACTERS))
  ) {
    return [...blocks, ...filled.map(({ cells }) => cells.filter((cell) => cell !== ''))];
  }
  const [first, ...others] = filled as [Row, ...Row[]];
  const head = [lineOf(first.cells, width), `|${' --- |'.repeat(width)}`];
  return [
    ...blocks,
    ...parts(
      head,
      others.map(({ cells }) => lineOf(cells, width)),
    ),
  ];
}

function parts(head: readonly string[], lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  let open = [...head];
  let size = 0;
  for (const line of lines) {
    if (size > 0 && size + line.length > PART_CHARACTERS) {
      blocks.push(open);
      open = [...head];
      size = 0;
    }
    open.push(line);
    size += line.length + 1;
  }
  return [...blocks, open];
}

function lineOf(cells: readonly string[], width: number): string {
  const shown = Array.from({ length: width }, (_, at) => (cells[at] ?? '').replaceAll('|', '\\|'));
  return `| ${shown.join(' | ')} |`;
}

function readRows(
  content: MainContent,
  at: number,
): { readonly caption: string; readonly rows: readonly Row[] } {
  const table = content.nodes[at] as HtmlElement;
  const rows: { cells: string[]; isHead: boolean }[] = [];
  let caption = '';
  for (let place = at + 1; place < table.end; place += 1) {
    const node = content.nodes[place];
    if (!isElement(node)) continue;
    if (content.isLeftOut(place)) {
      place = node.end - 1;
    } else if (node.name === 'caption') {
      caption = textOfElement(content, place);
      place = node.end - 1;
    } else if (node.name === 'tr') rows.push({ cells: [], isHead: false });
    else if (node.name === 'td' || node.name === 'th') {
      if (rows.length === 0) rows.push({ cells: [], isHead: false });
      const span = Number(node.attributes['colspan'] ?? 1);
      rows.at(-1)?.cells.push(textOfElement(content, place));
      for (let more = 1; more < Math.min(span, MOST_COLUMNS); more += 1)
        rows.at(-1)?.cells.push('');
      place = node.end - 1;
    }
  }
  return { caption, rows };
}
