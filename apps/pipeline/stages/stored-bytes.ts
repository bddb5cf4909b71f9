import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Manifest } from '#contracts';

/** Bytes of all files below a folder; 0 where it does not exist. A file that disappears meanwhile does not count. */
export async function folderBytes(directory: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    total += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return total;
}

/** Bytes of a generation's packs; undefined where a pack of an earlier version does not record its own. */
export function packBytes({ packs }: Pick<Manifest, 'packs'>): number | undefined {
  return packs.reduce<number | undefined>(
    (sum, { bytes }) => (sum === undefined || bytes === undefined ? undefined : sum + bytes),
    0,
  );
}

/** The field of an event; absent where the bytes of the packs are not known. */
export function storedBytes(
  manifest: Pick<Manifest, 'packs'>,
  scratchBytes: number | undefined,
): { readonly bytes?: number } {
  const packs = packBytes(manifest);
  return packs === undefined || scratchBytes === undefined ? {} : { bytes: packs + scratchBytes };
}
