import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file so that it is either there, whole and on disk, or not there at all: temporary file, fsync, rename, fsync of the folder. */
export async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, 'w');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
