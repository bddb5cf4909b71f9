import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The holder of a lock. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Start of the lock, ISO 8601. */
  readonly since: string;
}

export interface ProcessLock {
  /** Releases the folder. Any end of the process does the same. */
  release(): void;
}

/** Another process uses the folder. */
export class FolderInUseError extends Error {
  readonly code = 'folder_in_use';

  constructor(
    readonly folder: string,
    /** Null if the owner left no readable note. */
    readonly owner: LockOwner | null,
  ) {
    const who = owner
      ? `process ${owner.pid} on ${owner.host} since ${owner.since}`
      : 'another process';
    super(`${folder} is in use by ${who}; only one process at a time may use it`);
    this.name = 'FolderInUseError';
  }
}

export function isFolderInUse(error: unknown): error is FolderInUseError {
  return error instanceof Error && 'code' in error && error.code === 'folder_in_use';
}

/** SQLite's result code for a file that another process has locked. */
const BUSY = 5;

/**
 * Locks a folder for this process. Node has no file locks, but SQLite does: an exclusive
 * transaction on an empty database is a kernel lock that ends with its process. So there are no
 * stale locks and no process ids to check. The note next to it is only for the message. Not for
 * network file systems without locks.
 * @param name of the lock's files in the folder.
 * @throws FolderInUseError.
 */
export function lockFolder(folder: string, name = 'lock'): ProcessLock {
  mkdirSync(folder, { recursive: true });
  const note = join(folder, `${name}.json`);
  const database = new DatabaseSync(join(folder, `${name}.db`), { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const owner: LockOwner = {
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
    };
    writeFileSync(note, `${JSON.stringify(owner)}\n`);
  } catch (error) {
    database.close();
    throw isBusy(error) ? new FolderInUseError(folder, readOwner(note)) : error;
  }
  return {
    release: () => {
      if (!database.isOpen) return;
      rmSync(note, { force: true });
      database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'errcode' in error &&
    (Number(error.errcode) & 0xff) === BUSY
  );
}

function readOwner(note: string): LockOwner | null {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(note, 'utf8')) as LockOwner;
    return Number.isInteger(pid) && typeof host === 'string' && typeof since === 'string'
      ? { pid, host, since }
      : null;
  } catch {
    return null;
  }
}
