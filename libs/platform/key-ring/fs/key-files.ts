import { writeNewFile } from '../../files/durable.js';
import { replaceFile } from '../../files/replace-file.js';

/** Writes and reads the files of a key ring. */
export interface KeyFiles {
  readonly writeNewFile: typeof writeNewFile;
  readonly replaceFile: typeof replaceFile;
}

export const DISK_FILES: KeyFiles = { writeNewFile, replaceFile };
