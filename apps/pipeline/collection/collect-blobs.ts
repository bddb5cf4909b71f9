import type { BlobStore } from '#platform';

export interface CollectionOptions {
  readonly blobs: BlobStore;
  /** Names of everything that is still needed. */
  readonly marked: ReadonlySet<string>;
  /** Blobs written at or after this time (milliseconds since the epoch) stay: their job may not have named them yet. */
  readonly before: number;
  /** Asked before each removal; false ends the sweep. */
  readonly mayContinue: () => boolean;
}

/**
 * Removes the blobs that nothing names, beside stages at work. What a stage has put is younger than `before`, whether it
 * wrote the blob or found it there; what it reads without having put it is marked.
 * @returns how many went, and their bytes.
 */
export async function collectBlobs(options: CollectionOptions): Promise<{ removed: number; bytes: number }> {
  const { blobs, marked, before, mayContinue } = options;
  let removed = 0;
  let bytes = 0;
  for await (const { hash, modifiedAt, size } of blobs.list()) {
    if (marked.has(hash) || modifiedAt >= before) continue;
    if (!mayContinue()) break;
    if (!(await blobs.deleteIfOlder(hash, before))) continue;
    removed += 1;
    bytes += size;
  }
  return { removed, bytes };
}
