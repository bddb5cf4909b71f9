import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file so that after a crash either the old or the new one is there, whole: a draft beside it is fsynced, renamed
 * over it, and the folder is fsynced after.
 * @param options.draft where the draft goes; it must be on the same file system. Default: beside the file.
 * @param options.mode of the file. Default: for its owner alone.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  { draft = `${path}.${randomUUID()}.tmp`, mode }: { readonly draft?: string; readonly mode?: number } = {},
): Promise<void> {
  try {
    await writeNewFile(draft, bytes, mode);
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Writes and fsyncs a file that must not exist yet. */
export async function writeNewFile(path: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes what was created, renamed or removed in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(join(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
