/** Lines of a file: first and last, 1-based. */
export type LineRange = readonly [first: number, last: number];

interface Hunk {
  readonly path: string;
  /** Before the change; a count of 0 stands after the line. */
  readonly before: { readonly start: number; readonly count: number };
  readonly after: { readonly start: number; readonly count: number };
}

/** Returns the lines that a diff without context adds, by the path of the file. */
export function addedRanges(diff: string): Map<string, LineRange[]> {
  const ranges = new Map<string, LineRange[]>();
  for (const { path, after } of hunksOf(diff)) {
    if (after.count === 0) continue;
    const known = ranges.get(path) ?? [];
    known.push([after.start, after.start + after.count - 1]);
    ranges.set(path, known);
  }
  return ranges;
}

/**
 * Returns where lines are after a diff without context; lines that it changes or removes are left
 * out.
 */
export function mapForward(ranges: readonly LineRange[], diff: string, path: string): LineRange[] {
  const hunks = hunksOf(diff).filter((hunk) => hunk.path === path);
  const mapped: [number, number][] = [];
  for (const [first, last] of ranges) {
    for (let line = first; line <= last; line += 1) {
      const now = lineAfter(line, hunks);
      if (now === undefined) continue;
      const open = mapped.at(-1);
      if (open && open[1] === now - 1) open[1] = now;
      else mapped.push([now, now]);
    }
  }
  return mapped;
}

function lineAfter(line: number, hunks: readonly Hunk[]): number | undefined {
  let shift = 0;
  for (const { before, after } of hunks) {
    const end = before.start + before.count;
    if (before.count > 0 && line >= before.start && line < end) return undefined;
    const isBelow = before.count === 0 ? line > before.start : line >= end;
    if (isBelow) shift += after.count - before.count;
  }
  return line + shift;
}

function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let path: string | undefined;
  // Added and removed lines may look like headers, so that they are skipped by their number.
  let body = 0;
  for (const line of diff.split('\n')) {
    if (body > 0 && /^[-+]/.test(line)) {
      body -= 1;
      continue;
    }
    if (line.startsWith('diff --git ')) path = undefined;
    else if (line.startsWith('+++ ')) path = /^\+\+\+ b\/(.+?)\t?$/.exec(line)?.[1];
    const numbers = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!numbers) continue;
    const [start, count, newStart, newCount] = [1, 2, 3, 4].map((at) => Number(numbers[at] ?? 1));
    const before = { start: start ?? 0, count: count ?? 0 };
    const after = { start: newStart ?? 0, count: newCount ?? 0 };
    body = before.count + after.count;
    if (path !== undefined) hunks.push({ path, before, after });
  }
  return hunks;
}
