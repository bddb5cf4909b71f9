import { TimeSlices } from './time-slices.js';

/** Items that are sorted at once: well below a millisecond of work. */
const RUN = 256;

/**
 * Returns the items in order; equal ones retain theirs. Yields to the event loop between slices of
 * work, so that many items do not block it.
 */
export async function sortedInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  slices = new TimeSlices(),
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    if (slices.isUsedUp) await slices.pause();
    runs.push(items.slice(at, at + RUN).sort(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, slices));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (a: Item, b: Item) => number,
  slices: TimeSlices,
): Promise<Item[]> {
  const merged: Item[] = [];
  let next = 0;
  for (const item of a) {
    while (next < b.length && compare(b[next] as Item, item) < 0) {
      merged.push(b[next] as Item);
      next += 1;
    }
    merged.push(item);
    if (merged.length % RUN === 0 && slices.isUsedUp) await slices.pause();
  }
  for (; next < b.length; next += 1) merged.push(b[next] as Item);
  return merged;
}
