import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { syncFolder, writeNewFile } from './durable.js';
import { asStorageFull } from './storage-full.js';

/**
 * Writes a file so that after a crash either the old or the new one exists, complete. A draft
 * next to it is fsynced and renamed over it, and the folder is fsynced after.
 * @throws FootnoteError `storage_full`.
 * @param options.draft path of the draft, on the same file system. Default: next to the file.
 * @param options.mode of the file. Default: for its owner alone.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  { draft = draftOf(path), mode }: { readonly draft?: string; readonly mode?: number } = {},
): Promise<void> {
  await byDraft(draft, path, () => writeNewFile(draft, bytes, mode));
  await syncFolder(dirname(path));
}

/**
 * Writes a file that can be created again, for its owner alone. Readers see the old or the new
 * file, complete, even if this process is killed. Nothing is fsynced: after a power failure, the
 * file may be missing, old, empty or torn. So its reader must detect that, or the file must not
 * outlive the process. Saves two waits for the disk.
 * @param options.draft path of the draft, on the same file system. Default: next to the file.
 */
export async function replaceScratchFile(
  path: string,
  content: Uint8Array | string,
  { draft = draftOf(path) }: { readonly draft?: string } = {},
): Promise<void> {
  await byDraft(draft, path, () => writeFile(draft, content, { mode: 0o600, flag: 'wx' }));
}

function draftOf(path: string): string {
  return `${path}.${randomUUID()}.tmp`;
}

/** Renames a draft over a file once it is written; removes the draft after a failure. */
async function byDraft(draft: string, path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw asStorageFull(error, 'The disk');
  }
}
