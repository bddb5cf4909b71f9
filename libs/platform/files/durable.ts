import { open } from 'node:fs/promises';

import { asStorageFull } from './storage-full.js';

/**
 * Writes and fsyncs a file that must not exist yet.
 * @throws FootnoteError `storage_full`.
 */
export async function writeNewFile(path: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
  try {
    const file = await open(path, 'wx', mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asStorageFull(error, 'The disk');
  }
}

/** Makes created, renamed and removed files of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  await sync(path);
}

/** Makes the content of an existing file durable. */
export async function syncFile(path: string): Promise<void> {
  await sync(path);
}

async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
