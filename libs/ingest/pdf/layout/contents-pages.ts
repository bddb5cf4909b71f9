import type { Segment } from './page.js';
import { linesOf } from './segments.js';
import { isTitled } from './titles.js';

/** Fewest entries of a list of contents on a page. */
const FEWEST_ENTRIES = 5;
/** Dots that lead from a title to its page, and the page. */
const TO_PAGE = /(?<![.·… ])[.·… ]*\s(?:\d{1,4}|[ivxlc]{1,7})$/;

/**
 * Returns a page without its list of contents: lines with a title of the outline and a page number.
 * They repeat the headings and would be found instead of them. @param titles keys of all titles in
 * the outline.
 */
export function withoutContentsList(
  segments: readonly Segment[],
  titles: ReadonlySet<string>,
): readonly Segment[] {
  if (titles.size === 0) return segments;
  const lines = linesOf(segments);
  const entries = lines.filter(
    ({ text }) => TO_PAGE.test(text) && isTitled(text.replace(TO_PAGE, ''), titles),
  );
  if (entries.length < FEWEST_ENTRIES || entries.length < lines.length / 3) return segments;
  const dropped = new Set(entries.flatMap(({ cells }) => cells));
  return segments.filter((segment) => !dropped.has(segment));
}
