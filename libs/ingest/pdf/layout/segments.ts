import type { Line, Segment, TextRun } from './page.js';

/**
 * Gaps, in units of the font's height: a space from the first on, another segment from the second
 * on.
 */
const SPACE = 0.18;
const WIDE = 0.9;
/** Overlap of runs, where kerning or an accent draws one back over the other. */
const BACK = 0.6;

/**
 * Joins runs that follow each other on a baseline; raised and lowered ones join the run that they
 * belong to.
 */
export function segmentsOf(runs: readonly TextRun[]): Segment[] {
  const groups: TextRun[][] = [];
  let open: TextRun[] | undefined;
  for (const run of runs) {
    const last = open?.at(-1);
    if (open && last && follows(last, run)) open.push(run);
    else groups.push((open = [run]));
  }
  return joinOutOfOrder(groups.map(segmentOf));
}

/** Joins the segments of one column that share a baseline. */
export function linesOf(segments: readonly Segment[]): Line[] {
  const rows: Segment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row && first && sameBaseline(first, segment)) row.push(segment);
    else rows.push([segment]);
  }
  return rows.map((row) => lineOf(row.toSorted((a, b) => a.x - b.x)));
}

function lineOf(cells: readonly Segment[]): Line {
  const [widest] = cells.toSorted((a, b) => b.text.length - a.text.length) as [Segment];
  return {
    ...widest,
    text: cells.map(({ text }) => text).join(' '),
    x: Math.min(...cells.map(({ x }) => x)),
    right: Math.max(...cells.map(({ right }) => right)),
    bold: cells.every(({ bold }) => bold),
    mono: cells.every(({ mono }) => mono),
    cells,
  };
}

function sameBaseline(a: Segment, b: Segment): boolean {
  return Math.abs(a.y - b.y) <= 0.35 * Math.min(a.size, b.size);
}

function follows(last: TextRun, run: TextRun): boolean {
  const size = Math.max(last.size, run.size);
  const gap = run.x - last.right;
  if (gap > WIDE * size || gap < -BACK * size) return false;
  return overlap(last, run) >= 0.5 * Math.min(last.size, run.size);
}

/**
 * Returns the overlap of the heights of two runs; a font reaches about a quarter below its
 * baseline.
 */
function overlap(a: TextRun, b: TextRun): number {
  const top = Math.max(a.y - 0.75 * a.size, b.y - 0.75 * b.size);
  return Math.min(a.y + 0.25 * a.size, b.y + 0.25 * b.size) - top;
}

function segmentOf(runs: readonly TextRun[]): Segment {
  let text = '';
  let right = -Infinity;
  const weights = new Map<number, number>();
  const counts = { all: 0, bold: 0, mono: 0 };
  for (const run of runs) {
    const apart = text !== '' && (run.spaced || run.x - right > SPACE * run.size);
    text += apart && !/\s$/.test(text) && !/^\s/.test(run.text) ? ` ${run.text}` : run.text;
    right = Math.max(right, run.right);
    const letters = run.text.trim().length;
    weights.set(run.size, (weights.get(run.size) ?? 0) + letters);
    counts.all += letters;
    if (run.bold) counts.bold += letters;
    if (run.mono) counts.mono += letters;
  }
  const [size = 10] = [...weights].toSorted((a, b) => b[1] - a[1]).map(([key]) => key);
  const main = runs.find((run) => run.size === size) ?? runs[0];
  return {
    text: text.replace(/\s+/g, ' ').trim(),
    x: Math.min(...runs.map(({ x }) => x)),
    right,
    y: main?.y ?? 0,
    size,
    bold: counts.bold >= 0.9 * counts.all,
    mono: counts.mono >= 0.9 * counts.all,
  };
}

/** Joins the words of a line that a producer draws in another order than the reading order. */
function joinOutOfOrder(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    if (segment.text === '') continue;
    const at = lastIndexNear(joined, segment);
    const left = joined[at];
    if (left) joined[at] = join(left, segment);
    else joined.push(segment);
  }
  return joined;
}

/**
 * Returns the index of the segment that another one continues, among the last of those sorted by
 * baseline.
 */
function lastIndexNear(segments: readonly Segment[], next: Segment): number {
  for (let index = segments.length - 1; index >= Math.max(0, segments.length - 40); index -= 1) {
    const segment = segments[index] as Segment;
    if (next.y - segment.y > next.size) break;
    const gap = next.x - segment.right;
    const size = Math.max(segment.size, next.size);
    if (sameBaseline(segment, next) && gap > -0.2 * size && gap <= WIDE * size) return index;
  }
  return -1;
}

function join(left: Segment, right: Segment): Segment {
  const apart = right.x - left.right > SPACE * right.size;
  const main = left.text.length >= right.text.length ? left : right;
  return {
    text: apart ? `${left.text} ${right.text}` : left.text + right.text,
    x: Math.min(left.x, right.x),
    right: Math.max(left.right, right.right),
    y: main.y,
    size: main.size,
    bold: left.bold && right.bold,
    mono: left.mono && right.mono,
  };
}
