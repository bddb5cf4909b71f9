import type { ManifestDocument } from '#contracts';
import type { DiffChange } from '#contracts/http/index';
import { TimeSlices } from '#platform';

/** A file that differs between two generations. */
export interface DifferentFile {
  readonly path: string;
  readonly change: DiffChange;
}

/**
 * Returns the files that differ: those of the second generation in its order, then removed ones.
 * Versions of documents show a change without reading them.
 */
export async function differentFiles(
  before: readonly ManifestDocument[],
  after: readonly ManifestDocument[],
): Promise<DifferentFile[]> {
  const slices = new TimeSlices();
  const versions = new Map<string, string>();
  for (const { path, version } of before) {
    versions.set(path, version);
    if (slices.isUsedUp) await slices.pause();
  }
  const different: DifferentFile[] = [];
  for (const { path, version } of after) {
    const known = versions.get(path);
    versions.delete(path);
    if (known !== version)
      different.push({ path, change: known === undefined ? 'added' : 'changed' });
    if (slices.isUsedUp) await slices.pause();
  }
  for (const path of versions.keys()) different.push({ path, change: 'removed' });
  return different;
}
