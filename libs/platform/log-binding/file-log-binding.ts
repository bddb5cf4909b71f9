import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceFile } from '../files/replace-file.js';
import { unlessMissing } from '../files/unless-missing.js';
import { type LogBinding, type LogId, parseLogId } from './log-binding.port.js';

/** Name of the file in the store's folder; no other file of a store may have it. */
export const LOG_ID_FILE = 'log-id';

/** A binding as a file in the folder of a store, which exists. */
export class FileLogBinding implements LogBinding {
  private readonly path: string;

  constructor(
    folder: string,
    readonly isEmpty: () => Promise<boolean>,
  ) {
    this.path = join(folder, LOG_ID_FILE);
  }

  async boundTo(): Promise<LogId | null> {
    const text = await unlessMissing(readFile(this.path, 'utf8'));
    return text === null ? null : parseLogId(text, this.path);
  }

  async bind(log: LogId): Promise<void> {
    await replaceFile(this.path, Buffer.from(`${log}\n`));
  }
}
