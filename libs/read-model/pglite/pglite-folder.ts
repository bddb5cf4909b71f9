import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder, created by the build, with initdb and the migrations done. */
export const PREPARED_IMAGE = fileURLToPath(new URL('../../../read-model-image', import.meta.url));

/**
 * Copies the prepared image if there is no folder yet, so that a first start costs a copy instead
 * of an initdb. The copy gets its final name when it is complete. Without an image it does nothing,
 * and PGlite creates the folder. Files named `.keep` stay behind: packages have one in each folder
 * that is empty, because npm packs no empty folders.
 */
export async function prepareFolder(
  directory: string,
  image: string = PREPARED_IMAGE,
): Promise<void> {
  if ((await exists(directory)) || !(await exists(image))) return;
  const copy = `${directory}.new`;
  await mkdir(dirname(directory), { recursive: true });
  await dropFolder(copy);
  await cp(image, copy, { recursive: true, filter: (path) => basename(path) !== '.keep' });
  await rename(copy, directory);
}

/** Removes a folder of read models; they are rebuilt from the log. */
export async function dropFolder(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
