import type { Segment } from './page.js';
import { linesOf } from './segments.js';
import { isTitled } from './titles.js';

/** Fewer entries on a page are no list of contents. */
const FEWEST_ENTRIES = 5;
/** Dots that lead from a title to its page, and the page. */
const TO_PAGE = /(?<![.·… ])[.·… ]*\s(?:\d{1,4}|[ivxlc]{1,7})$/;

/**
 * A page without its list of contents: lines of titles that the outline names, with a page number
 * after them. They say what the headings say in their places, and would be found instead of them.
 * @param titles keys of all that the outline names.
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
