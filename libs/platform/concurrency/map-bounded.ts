/**
 * Maps items with a bounded number in flight; results are in the order of the items. After a
 * failure no further item is started, and items in flight are awaited. So no work continues after
 * this rejects.
 * @param concurrency items in flight at once.
 * @throws the first error; the signal's reason if it aborts before every item is started.
 */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array<Result>(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      signal.throwIfAborted();
      const index = next;
      next += 1;
      results[index] = await work(items[index] as Item, index);
    }
  };
  const failed = new Set<unknown>();
  const lanes = Array.from({ length: Math.min(concurrency, items.length) }, () =>
    lane().catch((error: unknown) => {
      failed.add(error);
      next = items.length;
    }),
  );
  await Promise.all(lanes);
  for (const error of failed) throw error;
  return results;
}
