import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Who holds a lock. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** When it took the lock, ISO 8601. */
  readonly since: string;
}

export interface ProcessLock {
  /** Gives the folder free. Ending the process, however it ends, does the same. */
  release(): void;
}

/** Another process works in the folder. */
export class FolderInUseError extends Error {
  readonly code = 'folder_in_use';

  constructor(
    readonly folder: string,
    /** Null when the owner left no readable note. */
    readonly owner: LockOwner | null,
  ) {
    const who = owner
      ? `process ${owner.pid} on ${owner.host} since ${owner.since}`
      : 'another process';
    super(`${folder} is in use by ${who}; one process at a time may work in it`);
    this.name = 'FolderInUseError';
  }
}

export function isFolderInUse(error: unknown): error is FolderInUseError {
  return error instanceof Error && 'code' in error && error.code === 'folder_in_use';
}

/** SQLite's result code for a file that somebody else has locked. */
const BUSY = 5;

/**
 * Takes a folder for this process alone. Node has no file locks, SQLite has: an exclusive
 * transaction on an empty database is a lock of the kernel's, which dies with its process, so there
 * is no stale lock to judge and no process id to trust. The note beside it only serves the message.
 * Not for network file systems without locks.
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
