import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the bytes of all files below a folder; 0 if it does not exist. A file that disappears in
 * between does not count.
 */
export async function folderBytes(directory: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    () => [],
  )) {
    if (!entry.isFile()) continue;
    total += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return total;
}
