import { writeNewFile } from '../../files/durable.js';
import { replaceFile } from '../../files/replace-file.js';

/** How a key ring writes its files. */
export interface KeyFiles {
  readonly writeNewFile: typeof writeNewFile;
  readonly replaceFile: typeof replaceFile;
}

export const DISK_FILES: KeyFiles = { writeNewFile, replaceFile };
