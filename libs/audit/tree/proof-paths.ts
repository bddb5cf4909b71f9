/** Consecutive leaves of a tree, from `start` up to and without `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns which subtrees prove a leaf, from the leaf to the root (RFC 9162, section 2.1.3.1).
 * @throws RangeError for a leaf outside of the tree.
 */
export function inclusionPath(index: number, size: number): readonly LeafRange[] {
  requireIntegers(index, size);
  if (index >= size)
    throw new RangeError(`a leaf of a tree of ${size} must be below ${size} (got ${index})`);
  const path: LeafRange[] = [];
  let range: LeafRange = { start: 0, end: size };
  while (range.end - range.start > 1) {
    const { left, right } = halves(range);
    path.push(index < right.start ? right : left);
    range = index < right.start ? left : right;
  }
  return path.reverse();
}

/**
 * Returns which subtrees prove that a tree of `from` leaves begins one of `to` leaves (RFC 9162,
 * section 2.1.4.1). The proof from 0, and from a size to itself, is empty.
 * @throws RangeError when `from` is larger than `to`.
 */
export function consistencyPath(from: number, to: number): readonly LeafRange[] {
  requireIntegers(from, to);
  if (from > to)
    throw new RangeError(`the first size must not exceed the second (got ${from} and ${to})`);
  if (from === 0 || from === to) return [];
  const path: LeafRange[] = [];
  let range: LeafRange = { start: 0, end: to };
  while (range.end !== from) {
    const { left, right } = halves(range);
    path.push(from <= right.start ? right : left);
    range = from <= right.start ? left : right;
  }
  // A subtree from the first leaf is the old root, which the verifier has.
  if (range.start > 0) path.push(range);
  return path.reverse();
}

/** Splits more than one leaf where the tree does: the left part is the largest power of two. */
function halves({ start, end }: LeafRange): {
  readonly left: LeafRange;
  readonly right: LeafRange;
} {
  const middle = start + largestPowerBelow(end - start);
  return { left: { start, end: middle }, right: { start: middle, end } };
}

/** Returns the largest power of two below a count of at least 2. */
export function largestPowerBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

function requireIntegers(...values: readonly number[]): void {
  for (const value of values) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`a size or index must be an integer from 0 (got ${value})`);
  }
}
