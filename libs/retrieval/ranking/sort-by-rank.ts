import type { RankTable } from './rank-table.js';

/** Chunks that are sorted by insertion. */
const MOST_INSERTED = 12;

/**
 * Sorts chunks in place, from one index to another, by score and then by id. The result equals that
 * of a stable sort with a comparator, which takes longer.
 */
export function sortByRank(
  table: RankTable,
  chunks: Uint32Array,
  from = 0,
  to = chunks.length,
): Uint32Array {
  for (let start = from; start < to; start += MOST_INSERTED)
    insertInOrder(table, chunks, start, Math.min(to, start + MOST_INSERTED));
  if (to - from <= MOST_INSERTED) return chunks;
  const { memory } = table.input;
  let source = memory.numbers(to - from);
  let target = memory.numbers(to - from);
  source.set(chunks.subarray(from, to));
  for (let width = MOST_INSERTED; width < source.length; width *= 2) {
    for (let start = 0; start < source.length; start += 2 * width)
      merge(table, source, target, start, width);
    [source, target] = [target, source];
  }
  chunks.set(source, from);
  return chunks;
}

/** Sorts a few chunks, which are mostly in order. */
function insertInOrder(table: RankTable, chunks: Uint32Array, from: number, to: number): void {
  for (let next = from + 1; next < to; next += 1) {
    const chunk = chunks[next] as number;
    let at = next;
    while (at > from && table.isBefore(chunk, chunks[at - 1] as number)) {
      chunks[at] = chunks[at - 1] as number;
      at -= 1;
    }
    chunks[at] = chunk;
  }
}

/** Merges two sorted runs of a width into the target, the first run first among equals. */
function merge(
  table: RankTable,
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  width: number,
): void {
  const middle = Math.min(source.length, from + width);
  const end = Math.min(source.length, middle + width);
  let left = from;
  let right = middle;
  for (let at = from; at < end; at += 1) {
    const takesRight =
      left === middle ||
      (right < end && table.isBefore(source[right] as number, source[left] as number));
    target[at] = source[takesRight ? right++ : left++] as number;
  }
}
