import { type DataDirFormat, upgradeDataDir } from './data-dir-format.js';
import { lockFolder, type ProcessLock } from './process-lock.js';

/**
 * Locks `DATA_DIR` for this process and upgrades it to the current format, before anything in it
 * may be opened.
 * @throws FolderInUseError with the process that uses it; DataDirFormatError.
 */
export async function lockDataDir(folder: string, format?: DataDirFormat): Promise<ProcessLock> {
  const lock = lockFolder(folder);
  try {
    await upgradeDataDir(folder, format);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}
