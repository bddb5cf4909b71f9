import type { Block, TextBlock } from './blocks.js';
import type { OutlineEntry } from './page.js';
import { isTitled, titleKey } from './titles.js';

const MOST_LINES = 3;
const MOST_CHARACTERS = 160;
const DEEPEST = 6;
const SECTION = /^(\d{1,3}(?:\.\d{1,3})*)\.?\s+\p{Lu}/u;
const FEWEST_NAMED = 3;

/** Blocks by page; {@link headingLevels} finds their headings. */
export type Pages = readonly (readonly Block[])[];

/**
 * Returns the blocks that are headings with their levels (1 is the outermost). Headings are the
 * entries of the outline, and blocks that differ from the text by size or weight. Sizes order their
 * levels. If there is an outline, its levels apply to the styles of its entries.
 */
export function headingLevels(
  pages: Pages,
  outline: readonly OutlineEntry[],
): ReadonlyMap<TextBlock, number> {
  const body = bodySize(pages);
  const levels = new Map<TextBlock, number>();
  const styles = new Map<string, number>();
  const byPage = Map.groupBy(outline, ({ page }) => page);
  for (const [page, blocks] of pages.entries()) {
    const entries = new Map(
      byPage.get(page)?.map(({ title, level }) => [titleKey(title), Math.min(DEEPEST, level)]),
    );
    entries.delete('');
    const keys = new Set(entries.keys());
    for (const block of blocks) {
      if (block.kind !== 'text' || block.lines.length > MOST_LINES) continue;
      const text = block.lines.join(' ');
      const named = entries.get(titleKey(text));
      if (named === undefined || !isTitled(text, keys)) continue;
      levels.set(block, named);
      if (standsOut(block, body)) styles.set(styleOf(block), named);
    }
  }
  // An outline of a few entries does not show the levels of all the others.
  if (levels.size < FEWEST_NAMED) styles.clear();
  const candidates = withoutTitlePage(
    pages.flatMap((blocks, page) =>
      blocks.flatMap((block) => (block.kind === 'text' ? { block, page } : [])),
    ),
    body,
    levels,
  );
  const bySize = [
    ...new Set(candidates.filter(({ size }) => isLarger(size, body)).map(({ size }) => half(size))),
  ];
  bySize.sort((a, b) => b - a);
  const deepest = Math.max(0, ...styles.values());
  for (const block of candidates) {
    if (levels.has(block)) continue;
    const rank = bySize.indexOf(half(block.size));
    const alone = rank < 0 ? bySize.length + 1 : rank + 1;
    const level =
      styles.get(styleOf(block)) ??
      (levels.size < FEWEST_NAMED ? alone : Math.max(deepest + (rank < 0 ? 1 : 0), 1));
    levels.set(block, Math.min(DEEPEST, level));
  }
  if (byPage.size === 0) numberLevels(levels);
  return levels;
}

/**
 * Sets levels by the numbers of sections. Without an outline, numbers show levels better than sizes
 * do: 2.1 is below 2.
 */
function numberLevels(levels: Map<TextBlock, number>): void {
  const numbered = [...levels.keys()].flatMap((block) => {
    const number = SECTION.exec(block.lines[0] ?? '')?.[1];
    return number === undefined ? [] : [{ block, depth: number.split('.').length }];
  });
  if (numbered.length < FEWEST_NAMED || !numbered.some(({ depth }) => depth > 1)) return;
  // Where sections have numbers, a prominent word in small letters is part of a picture.
  for (const block of levels.keys())
    if (/^\p{Ll}/u.test(block.lines[0] ?? '')) levels.delete(block);
  const largest = Math.max(...numbered.map(({ block }) => block.size));
  const hasTitle = [...levels.keys()].some((block) => block.size > largest);
  for (const { block, depth } of numbered)
    levels.set(block, Math.min(DEEPEST, depth + (hasTitle ? 1 : 0)));
}

/**
 * Removes prominent text that is not a heading. It may be names of authors below a title, in a
 * style with hardly any other use. It may be a word in a picture, which has its own style, or an
 * entry of a list of contents.
 */
function withoutTitlePage(
  blocks: readonly { readonly block: TextBlock; readonly page: number }[],
  body: number,
  named: ReadonlyMap<TextBlock, number>,
): readonly TextBlock[] {
  const candidates = blocks.filter(({ block }) => standsOut(block, body));
  const all = Map.groupBy(candidates, ({ block }) => styleOf(block));
  const styles = [...all.values()];
  return candidates.flatMap(({ block, page }) => {
    const alike = all.get(styleOf(block)) ?? [];
    const first = alike.filter((other) => other.page === 0);
    if (
      page > 1 &&
      alike.length === 1 &&
      styles.some((style) => style.length >= 3) &&
      !named.has(block)
    )
      return [];
    if (page === 0 && first.length >= 3 && first.length > 0.6 * alike.length && !named.has(block))
      return [];
    if (/\s\d{1,4}$/.test(block.lines.join(' ')) && !named.has(block)) {
      const entries = candidates.filter(
        (other) => other.page === page && /\s\d{1,4}$/.test(other.block.lines.join(' ')),
      );
      if (named.size >= FEWEST_NAMED || entries.length >= 3) return [];
    }
    return [block];
  });
}

function standsOut(block: TextBlock, body: number): boolean {
  const text = block.lines.join(' ');
  if (block.lines.length > MOST_LINES || text.length > MOST_CHARACTERS) return false;
  if (!/\p{L}{2}/u.test(text) || /[,;]$/.test(text)) return false;
  if (isLarger(block.size, body)) return !/\p{Ll}\.$/u.test(text);
  if (!block.bold || block.size < 0.88 * body) return false;
  return (
    block.above > 1.25 &&
    text.length <= 100 &&
    block.lines.length <= 2 &&
    !/[.!?]$/.test(text) &&
    !isCaption(text)
  );
}

function isCaption(text: string): boolean {
  return /^(?:fig(?:ure|\.)|tab(?:le|\.)|listing|algorithm)\s*\d/i.test(text);
}

function isLarger(size: number, body: number): boolean {
  return size >= 1.12 * body;
}

function half(size: number): number {
  return Math.round(size * 2) / 2;
}

function styleOf({ size, bold }: TextBlock): string {
  return `${half(size)} ${bold}`;
}

/** Returns the size of most letters. */
function bodySize(pages: Pages): number {
  const counts = new Map<number, number>();
  for (const block of pages.flat()) {
    if (block.kind !== 'text') continue;
    const length = block.lines.reduce((sum, line) => sum + line.length, 0);
    counts.set(half(block.size), (counts.get(half(block.size)) ?? 0) + length);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 10;
}
