import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { type BlobStore, isBlobNotFound, type LogId, syncFolder, writeNewFile } from '#platform';

/** Names inside a backup folder. */
export const BACKUP_LOG = 'log';
export const BACKUP_BLOBS = 'blobs';
export const BACKUP_KEYS = 'key-ring.json';
export const BACKUP_NOTE = 'backup.json';

/** The description in a backup. It is written last: a folder without it is not a backup. */
export interface BackupNote {
  readonly format: 1;
  readonly taken_at: string;
  /** Identity of the copied log; absent in backups of older versions, null for an empty log. */
  readonly log_id?: LogId | null;
  /** Newest event of the copied log. */
  readonly head: { readonly position: string; readonly hash: string } | null;
  readonly blobs: number;
  readonly blob_bytes: number;
}

/** The sources of a backup. */
export interface BackupSources {
  /** Copies the log, consistent at one moment, into a new folder while appends continue. */
  copyLog(folder: string): Promise<{ readonly position: string; readonly hash: string } | null>;
  /** Returns the identity of the log. */
  logId(): Promise<LogId | null>;
  readonly blobs: BlobStore;
  /** Folder of the key ring. */
  readonly keys: string;
  /** Prevents blob collection during the backup. */
  pauseCollection<T>(work: () => Promise<T>): Promise<T>;
  readonly now: () => Date;
}

/**
 * Copies everything that cannot be rebuilt. The log comes first, then the blobs, so that every blob
 * of the copied log is included. The key ring goes into a separate archive, to be stored elsewhere.
 * @throws Error if the folder exists and is not empty.
 */
export async function backUp(directory: string, sources: BackupSources): Promise<BackupNote> {
  const folder = resolve(directory);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty; choose a new folder for the backup`);
  return sources.pauseCollection(async () => {
    const head = await sources.copyLog(join(folder, BACKUP_LOG));
    const copied = await copyBlobs(sources.blobs, join(folder, BACKUP_BLOBS));
    await writeNewFile(
      join(folder, BACKUP_KEYS),
      Buffer.from(JSON.stringify(await archiveKeys(sources.keys))),
    );
    const taken_at = sources.now().toISOString();
    const note: BackupNote = {
      format: 1,
      taken_at,
      log_id: await sources.logId(),
      head,
      ...copied,
    };
    await writeNewFile(
      join(folder, BACKUP_NOTE),
      Buffer.from(`${JSON.stringify(note, null, 2)}\n`),
    );
    await syncFolder(folder);
    return note;
  });
}

async function copyBlobs(
  blobs: BlobStore,
  folder: string,
): Promise<{ blobs: number; blob_bytes: number }> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  let bytes = 0;
  for await (const { hash, size } of blobs.list()) {
    const content = await blobs.get(hash).catch((error: unknown) => {
      // Deleted since it was listed: the copied log did not need it, or its tenant was erased.
      if (isBlobNotFound(error)) return null;
      throw error;
    });
    if (content === null) continue;
    await mkdir(join(folder, hash.slice(0, 2)), { recursive: true });
    await writeNewFile(join(folder, hash.slice(0, 2), hash), content);
    count += 1;
    bytes += size;
  }
  return { blobs: count, blob_bytes: bytes };
}

/** Returns file name → base64 of each file of the key ring. */
async function archiveKeys(folder: string): Promise<Readonly<Record<string, string>>> {
  const archive: Record<string, string> = {};
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) archive[name] = (await readFile(path)).toString('base64');
  }
  return archive;
}
