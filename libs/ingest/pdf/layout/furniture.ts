import type { Line, Segment } from './page.js';
import { linesOf } from './segments.js';

/** Share of the page's height, at the top and bottom, that contains running headers and footers. */
const MARGIN = 0.13;
/** Lines at either end of a page that may be a header or footer. */
const OUTER = 3;

interface PageSegments {
  readonly height: number;
  readonly segments: readonly Segment[];
}

/**
 * Returns the segments of each page without page numbers, headers and footers. A header or footer
 * is a line at the top or bottom that other pages repeat except for its digits. Lines with a page
 * number where other pages have one are removed too.
 */
export function withoutFurniture(pages: readonly PageSegments[]): (readonly Segment[])[] {
  const edges = pages.map(edgeLines);
  const texts = countBy(edges.flat().map(({ line, edge }) => `${edge} ${textKey(line)}`));
  const numbered = countBy(
    edges
      .flat()
      .flatMap(({ line, edge }) =>
        hasNumberAtEnd(line) ? [`${edge} ${Math.round(line.y / 4)}`] : [],
      ),
  );
  const often = pages.length < 10 ? 2 : 3;
  return pages.map(({ segments }, page) => {
    const dropped = new Set<Segment>();
    for (const { line, edge } of edges[page] ?? []) {
      const repeated = (texts.get(`${edge} ${textKey(line)}`) ?? 0) >= often;
      const bin = Math.round(line.y / 4);
      const same = [bin - 1, bin, bin + 1].reduce(
        (sum, key) => sum + (numbered.get(`${edge} ${key}`) ?? 0),
        0,
      );
      const turned = hasNumberAtEnd(line) && same >= Math.max(often, 0.2 * pages.length);
      if (repeated || turned || (pages.length > 1 && isPageNumber(line.text))) {
        for (const cell of line.cells) dropped.add(cell);
      }
    }
    return dropped.size === 0 ? segments : segments.filter((segment) => !dropped.has(segment));
  });
}

function edgeLines({ height, segments }: PageSegments) {
  const lines = linesOf(segments);
  const top = lines.slice(0, OUTER).filter(({ y }) => y < MARGIN * height);
  const bottom = lines.slice(-OUTER).filter(({ y }) => y > (1 - MARGIN) * height);
  return [
    ...top.map((line) => ({ line, edge: 'top' as const })),
    ...bottom.map((line) => ({ line, edge: 'bottom' as const })),
  ];
}

/**
 * Returns the part of a line that stays the same from page to page. It is the words, whatever their
 * numbers and their order (left and right pages).
 */
function textKey({ cells }: Line): string {
  return cells
    .map(({ text }) =>
      text
        .toLowerCase()
        .replace(/\d+/g, '#')
        .replace(/^[ivxlc]+$/, '#'),
    )
    .sort()
    .join(' ');
}

function hasNumberAtEnd({ cells }: Line): boolean {
  return [cells[0], cells.at(-1)].some((cell) => cell !== undefined && isPageNumber(cell.text));
}

function isPageNumber(text: string): boolean {
  return /^[-–—|[(\s]*(page\s+)?(\d{1,4}|[ivxlc]{1,7})([-–—.][0-9]{1,4}|\s*(of|\/)\s*\d{1,4})?[-–—|\])\s]*$/i.test(
    text,
  );
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
