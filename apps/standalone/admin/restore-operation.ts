import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { dataFolders } from '#engines';
import { openSqliteEventStore } from '#event-store';
import { destroyKeyFiles, FsBlobStore, LOG_ID_FILE, writeNewFile } from '#platform';

import {
  BACKUP_BLOBS,
  BACKUP_KEYS,
  BACKUP_LOG,
  BACKUP_NOTE,
  type BackupNote,
} from './backup-operation.js';
import { erasedTenants } from './erased-tenants.js';

/**
 * Restores a backup into an empty data folder. It does not contain read models and the search
 * index: the next start builds them from the log. Data that is destroyed according to the log is
 * destroyed again, in case the archive of the keys is older than the log.
 * @throws Error if the folder is not a complete backup, or the data folder is in use. Also throws
 * if keys and log are of two services, or a blob does not match its name.
 */
export async function restore(directory: string, dataDir: string): Promise<BackupNote> {
  const folder = resolve(directory);
  const note = await readNote(folder);
  const target = dataFolders(dataDir);
  await mkdir(dataDir, { recursive: true });
  for (const path of [target.log, target.blobs, target.keys]) await refuseUsed(path);
  const keys = await readKeys(join(folder, BACKUP_KEYS), note);

  await cp(join(folder, BACKUP_LOG), target.log, { recursive: true });
  const blobs = await restoreBlobs(join(folder, BACKUP_BLOBS), target.blobs, note);
  if (blobs !== note.blobs)
    throw new Error(`The backup must have ${note.blobs} blobs (has ${blobs})`);
  await restoreKeys(keys, target.keys);
  for (const tenant of await erasedIn(target.log)) await destroyKeyFiles(target.keys, tenant);
  return note;
}

async function readNote(folder: string): Promise<BackupNote> {
  const text = await readFile(join(folder, BACKUP_NOTE), 'utf8').catch(() => {
    throw new Error(`${folder} is not a complete backup: it has no ${BACKUP_NOTE}`);
  });
  const note = JSON.parse(text) as BackupNote;
  if (note.format !== 1)
    throw new Error(`The backup has format ${String(note.format)}; this version reads format 1`);
  return note;
}

async function refuseUsed(path: string): Promise<void> {
  const entries = await readdir(path).catch(() => []);
  if (entries.some((name) => name !== 'tmp')) {
    throw new Error(`${path} is not empty; restore into a new DATA_DIR`);
  }
}

async function restoreBlobs(
  from: string,
  to: string,
  { log_id: log }: BackupNote,
): Promise<number> {
  const store = await FsBlobStore.open(to);
  if (log) await store.logBinding.bind(log);
  let count = 0;
  for (const folder of await readdir(from)) {
    for (const hash of await readdir(join(from, folder))) {
      const bytes = await readFile(join(from, folder, hash));
      if (createHash('sha256').update(bytes).digest('hex') !== hash) {
        throw new Error(`Blob ${hash} of the backup does not match its name`);
      }
      await store.put(bytes);
      count += 1;
    }
  }
  return count;
}

/**
 * Returns files of the key ring by name, base64. The archive is stored separately, so it may be
 * another service's.
 */
async function readKeys(
  archive: string,
  { log_id: log }: BackupNote,
): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(archive, 'utf8').catch(() => {
    throw new Error(
      `The key ring archive ${archive} is missing; put it back next to the backup first`,
    );
  });
  const files = JSON.parse(text) as Record<string, string>;
  const bound = Buffer.from(files[LOG_ID_FILE] ?? '', 'base64')
    .toString()
    .trim();
  if (bound && log && bound !== log) {
    throw new Error(
      `The key ring archive ${archive} belongs to log ${bound}, but the backup is of log ${log}`,
    );
  }
  return files;
}

async function erasedIn(log: string): Promise<ReadonlySet<string>> {
  const store = await openSqliteEventStore({
    directory: log,
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    return await erasedTenants(store);
  } finally {
    await store.close();
  }
}

async function restoreKeys(files: Readonly<Record<string, string>>, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(files)) {
    if (basename(name) !== name)
      throw new Error(`The key ring archive contains an invalid name: ${name}`);
    await writeNewFile(join(folder, name), Buffer.from(content, 'base64'));
  }
}
