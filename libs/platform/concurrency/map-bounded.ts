/**
 * Maps items with a bounded number in flight; results are in the order of the items. After a
 * failure nothing more is started, and what is in flight is waited for: when this rejects, no work
 * goes on behind its caller's back.
 * @param concurrency items in flight at once.
 * @throws what the work failed with first; the signal's reason when it aborts before everything is
 * started.
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
