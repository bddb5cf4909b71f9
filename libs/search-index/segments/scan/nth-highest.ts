/** Values from which on dividing them is faster than sorting. */
const FEW = 16;
/** Divisions for each halving of the number of values, before the rest is sorted. */
const PATIENCE = 3;

/**
 * Returns the nth highest of some values, and changes their order. The work is linear in their
 * number for most orders, and never more than a sort of all.
 * @param values without NaN.
 * @param nth from 1 to the number of values.
 */
export function nthHighest(values: Float64Array, nth: number): number {
  const wanted = values.length - nth;
  let [from, to] = [0, values.length];
  let divisions = PATIENCE * (32 - Math.clz32(values.length));
  while (to - from > FEW && divisions > 0) {
    divisions -= 1;
    const middle = medianOf(values, from, to);
    // Lower values end before `low`, higher ones begin after `high`; those between are equal.
    let [low, high] = [from, to - 1];
    while (low <= high) {
      while ((values[low] as number) < middle) low += 1;
      while ((values[high] as number) > middle) high -= 1;
      if (low > high) break;
      const lower = values[high] as number;
      values[high] = values[low] as number;
      values[low] = lower;
      low += 1;
      high -= 1;
    }
    if (wanted <= high) to = high + 1;
    else if (wanted >= low) from = low;
    else return middle;
  }
  const rest = values.subarray(from, to).sort();
  return rest[wanted - from] as number;
}

/** Returns the middle one of the first, the middle and the last value of a range. */
function medianOf(values: Float64Array, from: number, to: number): number {
  const a = values[from] as number;
  const b = values[(from + to) >> 1] as number;
  const c = values[to - 1] as number;
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
