/** Where a value is in an ascending array; -1 when it is not. */
export function indexIn(sorted: Uint32Array, value: number): number {
  const at = lowerBound(sorted, value, 0, sorted.length);
  return sorted[at] === value ? at : -1;
}

/** The first place from `from` on whose value is not below `value`; `to` when there is none before it. */
export function lowerBound(sorted: Uint32Array, value: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
