import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { type BlobStore, isBlobNotFound, type LogId, syncFolder, writeNewFile } from '#platform';

/** Names inside a backup folder. */
export const BACKUP_LOG = 'log';
export const BACKUP_BLOBS = 'blobs';
export const BACKUP_KEYS = 'key-ring.json';
export const BACKUP_NOTE = 'backup.json';

/** What a backup says of itself. It is written last: a folder without it is no backup. */
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

/** What a backup copies from. */
export interface BackupSources {
  /** Copies the log, consistent at one moment, into a new folder while appends go on. */
  copyLog(folder: string): Promise<{ readonly position: string; readonly hash: string } | null>;
  /** Identity of the log. */
  logId(): Promise<LogId | null>;
  readonly blobs: BlobStore;
  /** Folder of the key ring. */
  readonly keys: string;
  /** Keeps blob collection away while the backup runs. */
  pauseCollection<T>(work: () => Promise<T>): Promise<T>;
  readonly now: () => Date;
}

/**
 * Copies what cannot be rebuilt: the log first, then the blobs (so that every blob the copied log
 * names is there), and the key ring into an archive of its own, to be kept apart from the rest.
 * @throws Error when the folder exists and is not empty.
 */
export async function backUp(directory: string, sources: BackupSources): Promise<BackupNote> {
  const folder = resolve(directory);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty; a backup takes a new folder`);
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
      // Deleted since it was listed: the copied log had no need of it, or its tenant was erased.
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

/** File name → base64 of each file of the key ring. */
async function archiveKeys(folder: string): Promise<Readonly<Record<string, string>>> {
  const archive: Record<string, string> = {};
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) archive[name] = (await readFile(path)).toString('base64');
  }
  return archive;
}
