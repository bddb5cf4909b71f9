import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Mebibytes of each folder of a data folder, by name; files beside them count as `.`. */
export type FolderSizes = Readonly<Record<string, number>>;

/** Adds up the files below each folder; a file that disappears meanwhile counts as empty. */
export async function folderMiB(dataDir: string): Promise<FolderSizes> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name);
    const name = entry.isDirectory() ? entry.name : '.';
    const bytes = entry.isDirectory() ? await bytesBelow(path) : await bytesOf(path);
    sizes[name] = (sizes[name] ?? 0) + bytes / 1_048_576;
  }
  return sizes;
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (entry.isFile()) bytes += await bytesOf(join(entry.parentPath, entry.name));
  }
  return bytes;
}

async function bytesOf(path: string): Promise<number> {
  return (await stat(path).catch(() => ({ size: 0 }))).size;
}
