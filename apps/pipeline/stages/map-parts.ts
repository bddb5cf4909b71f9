/**
 * Maps parts in order with a bounded number in flight; the first failure ends it. Only what is in flight is in memory.
 * @param concurrency parts in flight at once.
 */
export async function mapParts<Part, Result>(
  parts: readonly Part[],
  concurrency: number,
  signal: AbortSignal,
  work: (part: Part, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array<Result>(parts.length);
  let next = 0;
  const lane = async () => {
    while (next < parts.length) {
      signal.throwIfAborted();
      const index = next;
      next += 1;
      results[index] = await work(parts[index] as Part, index);
    }
  };
  const failed = new Set<unknown>();
  const lanes = Array.from({ length: Math.min(concurrency, parts.length) }, () =>
    lane().catch((error: unknown) => {
      failed.add(error);
      next = parts.length;
    }),
  );
  await Promise.all(lanes);
  for (const error of failed) throw error;
  return results;
}
