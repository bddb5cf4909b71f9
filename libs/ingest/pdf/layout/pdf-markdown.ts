import { type Block, blocksOf, type TextBlock } from './blocks.js';
import { withoutContentsList } from './contents-pages.js';
import { withoutFurniture } from './furniture.js';
import { headingLevels } from './headings.js';
import type { OutlineEntry, PageText } from './page.js';
import { LineJoiner, repairCharacters } from './repair-text.js';
import { segmentsOf } from './segments.js';
import { titleKeys } from './titles.js';

/** A document as Markdown, one page after the other. */
export interface PdfMarkdown {
  readonly text: string;
  /** The row of `text`, from 0, at which each page with text begins, in page order. */
  readonly starts: readonly { readonly page: number; readonly row: number }[];
}

/**
 * Converts the text of pages to Markdown in reading order. Columns follow one another; running
 * headers and page numbers are removed. Lines are joined to paragraphs and split words repaired;
 * headings, tables and code are Markdown.
 */
export function pdfMarkdown(
  pages: readonly PageText[],
  outline: readonly OutlineEntry[],
): PdfMarkdown {
  const segments = pages.map(({ runs }) =>
    segmentsOf(runs).flatMap((segment) => {
      const text = repairCharacters(segment.text).trim();
      return text === '' ? [] : [{ ...segment, text }];
    }),
  );
  const kept = withoutFurniture(
    pages.map(({ height }, page) => ({ height, segments: segments[page] ?? [] })),
  );
  const titles = titleKeys(outline.map(({ title }) => title));
  const named = Map.groupBy(outline, ({ page }) => page);
  const blocks = kept.map((ofPage, page) =>
    blocksOf(
      withoutContentsList(ofPage, titles),
      titleKeys((named.get(page) ?? []).map(({ title }) => title)),
    ),
  );
  const joiner = new LineJoiner(
    blocks.flat().flatMap((block) => (block.kind === 'text' ? block.lines : [])),
  );
  const levels = headingLevels(blocks, outline);
  const rows: string[] = [];
  const starts: { page: number; row: number }[] = [];
  for (const [page, ofPage] of blocks.entries()) {
    const shown = pageRows(ofPage, levels, joiner);
    if (shown.length === 0) continue;
    starts.push({ page: page + 1, row: rows.length });
    rows.push(...shown);
  }
  return { text: rows.join('\n'), starts };
}

function pageRows(
  blocks: readonly Block[],
  levels: ReadonlyMap<TextBlock, number>,
  joiner: LineJoiner,
): string[] {
  const rows: string[] = [];
  for (const block of joinedOverColumns(blocks, levels)) {
    if (block.kind === 'verbatim') rows.push(...block.text.split('\n'), '');
    else {
      const text = joiner.join(block.lines);
      const level = levels.get(block);
      rows.push(level === undefined ? paragraph(text) : `${'#'.repeat(level)} ${text}`, '');
    }
  }
  return rows;
}

/** Joins a paragraph that continues at the top of the next column. */
function joinedOverColumns(
  blocks: readonly Block[],
  levels: ReadonlyMap<TextBlock, number>,
): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const goesOn =
      block.kind === 'text' &&
      last?.kind === 'text' &&
      last.region !== block.region &&
      !last.ends &&
      !levels.has(last) &&
      !levels.has(block) &&
      Math.abs(last.size - block.size) < 0.5 &&
      /^[\p{Ll}(]/u.test(block.lines[0] ?? '');
    if (goesOn) joined[joined.length - 1] = { ...block, lines: [...last.lines, ...block.lines] };
    else joined.push(block);
  }
  return joined;
}

/**
 * Returns a paragraph. A backslash escapes text that would read as Markdown at the beginning of a
 * line.
 */
function paragraph(text: string): string {
  const item = text.replace(/^[•◦▪‣●○■□·]\s*/, '- ');
  return /^(?:#{1,6}(?:\s|$)|`{3}|~{3})/.test(item) ? `\\${item}` : item;
}
