import { type DataDirFormat, upgradeDataDir } from './data-dir-format.js';
import { lockFolder, type ProcessLock } from './process-lock.js';

/**
 * The first thing a process does with `DATA_DIR`: takes it for itself alone and brings it to the
 * current format. Nothing in it may be opened before.
 * @throws FolderInUseError naming the process that has it; DataDirFormatError.
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
