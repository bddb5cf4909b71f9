import { median, type Segment } from './page.js';

/** Fewest segments of a column. */
const FEWEST = 6;
/**
 * Most segments of a page that is split. A page with more is a drawing or made to cost time: it is
 * read from top to bottom.
 */
const MOST = 4_000;
/** Most nested cuts: a column may have columns itself, and a page different bands. */
const DEPTH = 4;

/**
 * Splits a page into regions in reading order. A segment that spans all columns is a region by
 * itself. Between two of those, the columns follow from left to right. Rows of a table are not
 * columns, though a gap goes through them.
 */
export function regionsOf(segments: readonly Segment[], depth = 0): (readonly Segment[])[] {
  if (segments.length === 0) return [];
  if (depth >= DEPTH || segments.length < 2 * FEWEST || segments.length > MOST) return [segments];
  const gutter = findGutter(segments);
  if (gutter === undefined) return cutInBands(segments, depth);
  const regions: (readonly Segment[])[] = [];
  let left: Segment[] = [];
  let right: Segment[] = [];
  let across: Segment[] = [];
  const closeColumns = (): void => {
    regions.push(...regionsOf(left, depth + 1), ...regionsOf(right, depth + 1));
    [left, right] = [[], []];
  };
  const closeAcross = (): void => {
    if (across.length > 0) regions.push(across);
    across = [];
  };
  for (const segment of segments.toSorted((a, b) => a.y - b.y)) {
    if (segment.x < gutter && segment.right > gutter) {
      closeColumns();
      across.push(segment);
    } else {
      closeAcross();
      (segment.right <= gutter ? left : right).push(segment);
    }
  }
  closeColumns();
  closeAcross();
  return regions;
}

/** Cuts a page in bands: a band may have columns where the whole page has none. */
function cutInBands(segments: readonly Segment[], depth: number): (readonly Segment[])[] {
  const sorted = segments.toSorted((a, b) => a.y - b.y);
  const gaps = sorted
    .map((segment, index) => ({
      index,
      gap: index === 0 ? 0 : segment.y - (sorted[index - 1] as Segment).y,
    }))
    .filter(({ index }) => index >= FEWEST / 2 && sorted.length - index >= FEWEST / 2)
    .toSorted((a, b) => b.gap - a.gap)
    .slice(0, 4);
  for (const { index, gap } of gaps) {
    if (gap < 1.4 * median(segments.map(({ size }) => size))) break;
    const bands = [sorted.slice(0, index), sorted.slice(index)];
    if (bands.some((band) => band.length >= 2 * FEWEST && findGutter(band) !== undefined)) {
      return bands.flatMap((band) => regionsOf(band, depth + 1));
    }
  }
  return [segments];
}

/** Returns the middle of the gap between two columns of text; undefined if there is none. */
function findGutter(segments: readonly Segment[]): number | undefined {
  const start = Math.min(...segments.map(({ x }) => x));
  const width = Math.max(...segments.map(({ right }) => right)) - start;
  const size = median(segments.map((segment) => segment.size));
  const edges = [...new Set(segments.map(({ x }) => Math.round(x)))];
  let best: { readonly at: number; readonly score: number } | undefined;
  for (const edge of edges) {
    if (edge < start + 0.15 * width || edge > start + 0.85 * width) continue;
    const at = edge - 0.4 * size;
    const left = segments.filter(({ right }) => right <= at);
    const right = segments.filter(({ x }) => x >= at);
    const fewer = Math.min(left.length, right.length);
    const across = segments.length - left.length - right.length;
    if (fewer < FEWEST || across > 0.4 * fewer || !areColumns(left, right, size, width)) continue;
    const score = fewer - 2 * across;
    if (best === undefined || score > best.score) best = { at, score };
  }
  return best?.at;
}

function areColumns(
  left: readonly Segment[],
  right: readonly Segment[],
  size: number,
  width: number,
): boolean {
  const [first, second] = [extentOf(left), extentOf(right)];
  if (second.start - first.end < 0.7 * size) return false;
  if ([first, second].some((side) => side.width < Math.max(8 * size, 0.18 * width))) return false;
  const shared = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
  if (shared < 0.4 * Math.min(first.bottom - first.top, second.bottom - second.top)) return false;
  const fill = Math.min(typicalWidth(left) / first.width, typicalWidth(right) / second.width);
  if (fill >= 0.75) return true;
  const few = left.length < right.length ? left : right;
  const many = few === left ? right : left;
  const aligned =
    few.filter(({ y }) => many.some((other) => Math.abs(other.y - y) < 1)).length / few.length;
  return fill >= 0.45 && aligned < 0.7;
}

/**
 * Returns the width that half of the text reaches in its segments. Formulas and labels of pictures
 * have little weight.
 */
function typicalWidth(segments: readonly Segment[]): number {
  const widths = segments.map(({ x, right }) => right - x).sort((a, b) => b - a);
  let rest = widths.reduce((sum, width) => sum + width, 0) / 2;
  return widths.find((width) => (rest -= width) <= 0) ?? 0;
}

function extentOf(segments: readonly Segment[]) {
  const start = Math.min(...segments.map(({ x }) => x));
  const end = Math.max(...segments.map(({ right }) => right));
  const ys = segments.map(({ y }) => y);
  return { start, end, width: end - start, top: Math.min(...ys), bottom: Math.max(...ys) };
}
