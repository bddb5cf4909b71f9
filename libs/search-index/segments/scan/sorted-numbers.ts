/** Returns the numbers of some lists, ascending and each once. */
export function distinctIn(lists: readonly Float64Array[]): Float64Array {
  const sorted = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    sorted.set(list, end);
    end += list.length;
  }
  sorted.sort();
  let count = 0;
  for (let at = 0; at < end; at += 1) {
    const number = sorted[at] as number;
    if (count === 0 || number !== sorted[count - 1]) sorted[count++] = number;
  }
  return sorted.subarray(0, count);
}

/** Returns the index of a number that ascending ones have. */
export function indexOfNumber(sorted: Float64Array, number: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
