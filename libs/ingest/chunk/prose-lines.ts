import { CHUNK_LIMITS, type LineSpan } from './limits.js';
import type { LineTable } from './line-table.js';
import { packBlocks } from './pack-blocks.js';

interface Heading {
  /** First line of the heading (RST: of its overline). */
  readonly line: number;
  /** 1 is the outermost. */
  readonly level: number;
  readonly title: string;
}

/**
 * Sections of Markdown, reStructuredText or plain text, each with its heading trail (`Guide > Install`) as symbol.
 * A section that fits is one chunk; small neighbours are not merged across headings unless the earlier one is a mere
 * heading; a large section is cut at its paragraphs.
 *
 * @param breaks lines that no span crosses.
 */
export function proseLines(
  lines: LineTable,
  language: string,
  breaks: ReadonlySet<number> = new Set<number>(),
): LineSpan[] {
  if (lines.count === 0) return [];
  const headings = language === 'markdown' ? markdownHeadings(lines) : underlinedHeadings(lines);
  const sections = sectionsOf(lines, headings, breaks);
  return sections.flatMap((section) =>
    lines.length(section.first, section.last) <= CHUNK_LIMITS.targetCharacters ? [section] : packBlocks(lines, section),
  );
}

function sectionsOf(lines: LineTable, headings: readonly Heading[], breaks: ReadonlySet<number>): LineSpan[] {
  const sections: LineSpan[] = [];
  const trail: Heading[] = [];
  let first = 0;
  let symbol: string | undefined;
  const close = (end: number): void => {
    if (end > first) sections.push({ first, last: end - 1, ...(symbol === undefined ? {} : { symbol }) });
    first = end;
  };
  const pending = [...breaks].sort((a, b) => a - b);
  const closeAtBreaks = (end: number): void => {
    while ((pending[0] ?? end) < end) close(pending.shift() as number);
  };
  for (const heading of headings) {
    closeAtBreaks(heading.line);
    close(heading.line);
    while ((trail.at(-1)?.level ?? 0) >= heading.level) trail.pop();
    trail.push(heading);
    symbol = trail.map((entry) => entry.title).join(' > ');
  }
  closeAtBreaks(lines.count);
  close(lines.count);
  return mergeSmall(lines, sections, breaks);
}

/** A section without text of its own (a title right above a subtitle) joins the one below, whose trail names both. */
function mergeSmall(lines: LineTable, sections: readonly LineSpan[], breaks: ReadonlySet<number>): LineSpan[] {
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

/** ATX and setext headings; nothing inside a fenced block is one. */
function markdownHeadings(lines: LineTable): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (let line = frontMatterEnd(lines); line < lines.count; line += 1) {
    const shown = lineText(lines, line);
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(shown);
    if (mark?.[1] !== undefined) {
      if (fence === undefined) fence = mark[1];
      else if (mark[1].startsWith(fence) && (mark[2] ?? '').trim() === '') fence = undefined;
      continue;
    }
    if (fence !== undefined) continue;
    const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(shown);
    if (atx?.[1] !== undefined) {
      const title = plainTitle((atx[2] ?? '').replace(/(^|[ \t])#+[ \t]*$/, ''));
      if (title !== '') headings.push({ line, level: atx[1].length, title });
      continue;
    }
    const setext = /^ {0,3}(=+|-+)[ \t]*$/.exec(shown);
    if (setext?.[1] === undefined || line === 0) continue;
    const above = lineText(lines, line - 1);
    const alone = line < 2 || lines.isBlank(line - 2);
    if (!alone || above.trim() === '' || /^\s*([-*+>|#]|\d+[.)]|`{3}|~{3})/.test(above)) continue;
    headings.push({ line: line - 1, level: setext[1].startsWith('=') ? 1 : 2, title: plainTitle(above) });
  }
  return headings;
}

/** The line after a YAML front matter, whose `#` comments and `---` are no headings. */
function frontMatterEnd(lines: LineTable): number {
  if (lines.count === 0 || lineText(lines, 0).trim() !== '---') return 0;
  for (let line = 1; line < lines.count && line < 200; line += 1) {
    if (/^(---|\.\.\.)\s*$/.test(lineText(lines, line))) return line + 1;
  }
  return 0;
}

/** reStructuredText titles (underlined, or over- and underlined); levels in order of first use, as docutils does. */
function underlinedHeadings(lines: LineTable): Heading[] {
  const headings: Heading[] = [];
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
      line: overlined ? line - 2 : line - 1,
      level: styles.indexOf(style) + 1,
      title: title.trim().slice(0, MAX_TITLE),
    });
  }
  return headings;
}

const MAX_TITLE = 120;

/** The words of a heading: links give their text, and marks for code, bold and anchors go. */
function plainTitle(markdown: string): string {
  return markdown
    .slice(0, 4 * MAX_TITLE)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^<>]*>|\{#[^{}]*\}/g, '')
    .replace(/[`*]|__/g, '')
    .trim()
    .slice(0, MAX_TITLE)
    .toWellFormed();
}

/** A line for the eye of a pattern: at most 1,000 characters, no byte order mark, no carriage return. */
function lineText(lines: LineTable, line: number): string {
  const start = lines.startOf(line);
  const text = lines.text.slice(start, Math.min(lines.endOf(line), start + 1_000));
  return text.replace(/^\uFEFF/, '').replace(/\r$/, '');
}
