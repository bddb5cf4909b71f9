import type { PageHeading } from '../parse/parsed-document.js';
import { CHUNK_LIMITS, type LineSpan } from './limits.js';
import type { LineTable } from './line-table.js';
import { packBlocks } from './pack-blocks.js';

/**
 * Returns the sections of Markdown, reStructuredText or plain text, each with its heading trail
 * (`Guide > Install`) as symbol. A section that fits is one chunk. Small neighbors are merged
 * across headings only if the earlier one is a mere heading. A large section is cut at its
 * paragraphs.
 */
export function proseLines(lines: LineTable, language: string): LineSpan[] {
  if (lines.count === 0) return [];
  const headings = language === 'markdown' ? markdownHeadings(lines) : underlinedHeadings(lines);
  return cutSections(lines, sectionsOf(lines, headings, NO_LINES), NO_LINES);
}

/**
 * Returns the sections of a page like {@link proseLines}, and leaves a fenced block whole up to the
 * hard limit.
 *
 * @param breaks lines that no span crosses.
 * @param headings of the page, if its format reports them; otherwise they are read from the
 * Markdown.
 */
export function pageLines(
  lines: LineTable,
  breaks: ReadonlySet<number>,
  headings: readonly PageHeading[] = markdownHeadings(lines),
): LineSpan[] {
  if (lines.count === 0) return [];
  return cutSections(lines, sectionsOf(lines, headings, breaks), fencedLines(lines));
}

const NO_LINES: ReadonlySet<number> = new Set();

function cutSections(
  lines: LineTable,
  sections: readonly LineSpan[],
  solid: ReadonlySet<number>,
): LineSpan[] {
  return sections.flatMap((section) =>
    lines.length(section.first, section.last) <= CHUNK_LIMITS.targetCharacters
      ? [section]
      : packBlocks(lines, section, solid),
  );
}

function sectionsOf(
  lines: LineTable,
  headings: readonly PageHeading[],
  breaks: ReadonlySet<number>,
): LineSpan[] {
  const sections: LineSpan[] = [];
  const trail: { readonly level: number; readonly title: string }[] = [];
  let first = 0;
  let symbol: string | undefined;
  const close = (end: number): void => {
    if (end > first)
      sections.push({ first, last: end - 1, ...(symbol === undefined ? {} : { symbol }) });
    first = end;
  };
  const pending = [...breaks].sort((a, b) => a - b);
  const closeAtBreaks = (end: number): void => {
    while ((pending[0] ?? end) < end) close(pending.shift() as number);
  };
  for (const heading of headings) {
    closeAtBreaks(heading.row);
    close(heading.row);
    while ((trail.at(-1)?.level ?? 0) >= heading.level) trail.pop();
    const { level, title } = heading;
    if (title !== null) trail.push({ level, title });
    symbol = trail.length === 0 ? undefined : trail.map((entry) => entry.title).join(' > ');
  }
  closeAtBreaks(lines.count);
  close(lines.count);
  return mergeSmall(lines, sections, breaks);
}

/**
 * Merges a section without text of its own (a title right above a subtitle) into the next one. That
 * section's trail names both.
 */
function mergeSmall(
  lines: LineTable,
  sections: readonly LineSpan[],
  breaks: ReadonlySet<number>,
): LineSpan[] {
  const merged: LineSpan[] = [];
  let carried: LineSpan | undefined;
  for (const section of sections) {
    const joined: LineSpan = carried === undefined ? section : { ...section, first: carried.first };
    const fits =
      !(carried !== undefined && breaks.has(section.first)) &&
      lines.length(joined.first, joined.last) <= CHUNK_LIMITS.targetCharacters;
    if (carried !== undefined && !fits) merged.push(carried);
    const current = fits ? joined : section;
    if (filledLines(lines, current) <= 1) carried = current;
    else {
      merged.push(current);
      carried = undefined;
    }
  }
  if (carried !== undefined) merged.push(carried);
  return merged;
}

function filledLines(lines: LineTable, span: LineSpan): number {
  let filled = 0;
  for (let line = span.first; line <= span.last; line += 1) if (!lines.isBlank(line)) filled += 1;
  return filled;
}

/** Returns ATX and setext headings; text inside a fenced block is not a heading. */
function markdownHeadings(lines: LineTable): PageHeading[] {
  const headings: PageHeading[] = [];
  let fence: string | undefined;
  for (let line = frontMatterEnd(lines); line < lines.count; line += 1) {
    const shown = lineText(lines, line);
    const mark = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(shown);
    if (mark?.[1] !== undefined) {
      if (fence === undefined) fence = mark[1];
      else if (mark[1].startsWith(fence) && (mark[2] ?? '').trim() === '') fence = undefined;
      continue;
    }
    if (fence !== undefined) continue;
    const atx = /^ {0,3}(#{1,6})(?:[ \t]+(?![ \t])(.*))?$/.exec(shown);
    if (atx?.[1] !== undefined) {
      const title = plainTitle((atx[2] ?? '').replace(/(^|[ \t])#+[ \t]*$/, ''));
      if (title !== '') headings.push({ row: line, level: atx[1].length, title });
      continue;
    }
    const setext = /^ {0,3}(=+|-+)[ \t]*$/.exec(shown);
    if (setext?.[1] === undefined || line === 0) continue;
    const above = lineText(lines, line - 1);
    const alone = line < 2 || lines.isBlank(line - 2);
    if (!alone || above.trim() === '' || /^\s*([-*+>|#]|\d+[.)]|`{3}|~{3})/.test(above)) continue;
    headings.push({
      row: line - 1,
      level: setext[1].startsWith('=') ? 1 : 2,
      title: plainTitle(above),
    });
  }
  return headings;
}

/**
 * Returns the lines of fenced blocks except the last of each, because the content of a block
 * belongs together.
 */
function fencedLines(lines: LineTable): ReadonlySet<number> {
  const rows = new Set<number>();
  let fence: { readonly mark: string; readonly row: number } | undefined;
  for (let row = 0; row < lines.count; row += 1) {
    const mark = /^[ >]*(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(lineText(lines, row));
    if (mark?.[1] === undefined) continue;
    if (fence === undefined) fence = { mark: mark[1], row };
    else if (mark[1].startsWith(fence.mark) && (mark[2] ?? '').trim() === '') {
      for (let inside = fence.row; inside < row; inside += 1) rows.add(inside);
      fence = undefined;
    }
  }
  return rows;
}

/**
 * Returns the line after a YAML front matter, which has no headings in its `#` comments and `---`.
 */
function frontMatterEnd(lines: LineTable): number {
  if (lines.count === 0 || lineText(lines, 0).trim() !== '---') return 0;
  for (let line = 1; line < lines.count && line < 200; line += 1) {
    if (/^(---|\.\.\.)\s*$/.test(lineText(lines, line))) return line + 1;
  }
  return 0;
}

/**
 * Returns reStructuredText titles (underlined, or over- and underlined). Levels are in order of
 * first use, as in docutils.
 */
function underlinedHeadings(lines: LineTable): PageHeading[] {
  const headings: PageHeading[] = [];
  const styles: string[] = [];
  for (let line = 1; line < lines.count; line += 1) {
    const under = /^([=\-`:'"~^_*+#<>.])\1{2,}\s*$/.exec(lineText(lines, line));
    if (under?.[1] === undefined) continue;
    const title = lineText(lines, line - 1);
    if (title.trim() === '' || /^([=\-`:'"~^_*+#<>.])\1{2,}\s*$/.test(title)) continue;
    const rule = lineText(lines, line).trimEnd();
    const overlined = line >= 2 && lineText(lines, line - 2).trimEnd() === rule;
    if (!overlined && (/^\s/.test(title) || rule.length < title.trim().length)) continue;
    if (!overlined && line >= 2 && !lines.isBlank(line - 2)) continue;
    const style = `${under[1]}${overlined ? 'o' : 'u'}`;
    if (!styles.includes(style)) styles.push(style);
    headings.push({
      row: overlined ? line - 2 : line - 1,
      level: styles.indexOf(style) + 1,
      title: title.trim().slice(0, MAX_TITLE),
    });
  }
  return headings;
}

const MAX_TITLE = 120;

/** Returns the words of a heading: the text of links, without markup for code, bold and anchors. */
function plainTitle(markdown: string): string {
  return markdown
    .slice(0, 4 * MAX_TITLE)
    .replace(/!?\[([^\]]{0,480})\]\([^)]{0,480}\)/g, '$1')
    .replace(/<[^<>]*>|\{#[^{}]*\}/g, '')
    .replace(/[`*]|__/g, '')
    .trim()
    .slice(0, MAX_TITLE)
    .toWellFormed();
}

/**
 * Returns a line for patterns: at most 1,000 characters, without byte order mark and carriage
 * return.
 */
function lineText(lines: LineTable, line: number): string {
  const start = lines.startOf(line);
  const text = lines.text.slice(start, Math.min(lines.endOf(line), start + 1_000));
  return text.replace(/^\uFEFF/, '').replace(/\r$/, '');
}
