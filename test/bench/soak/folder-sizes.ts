import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { folderBytes } from '#platform';

/**
 * The size in MiB of each folder of a data folder, by name; files next to the folders count as `.`.
 */
export type FolderSizes = Readonly<Record<string, number>>;

/** Adds up the files below each folder; a file that disappears in between counts as empty. */
export async function folderMiB(dataDir: string): Promise<FolderSizes> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name);
    const name = entry.isDirectory() ? entry.name : '.';
    const bytes = entry.isDirectory()
      ? await folderBytes(path)
      : ((await stat(path).catch(() => undefined))?.size ?? 0);
    sizes[name] = (sizes[name] ?? 0) + bytes / 1_048_576;
  }
  return sizes;
}
