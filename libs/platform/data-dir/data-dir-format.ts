import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceFile } from '../files/replace-file.js';

const FORMAT_FILE = 'format.json';

/** The layout of the data folder, and the upgrades of older layouts. */
export interface DataDirFormat {
  readonly current: number;
  /**
   * `steps[1]` upgrades a folder from format 1 to format 2, in place. A step that a crash
   * interrupted is repeated.
   */
  readonly steps: Readonly<Record<number, (folder: string) => Promise<void>>>;
}

const DATA_DIR_FORMAT: DataDirFormat = { current: 1, steps: {} };

/** The folder was written by a version whose format this one cannot read. */
class DataDirFormatError extends Error {
  readonly code = 'data_dir_format';

  constructor(message: string) {
    super(message);
    this.name = 'DataDirFormatError';
  }
}

/**
 * Upgrades the folder to the current format, one step after the other; a new folder starts at the
 * current one.
 * @returns the previous format, null for a new folder.
 * @throws DataDirFormatError for a newer format, an unreadable format file, or a format without an
 * upgrade.
 */
export async function upgradeDataDir(
  folder: string,
  format: DataDirFormat = DATA_DIR_FORMAT,
): Promise<number | null> {
  const found = await readFormat(folder);
  if (found === null) {
    await writeFormat(folder, format.current);
    return null;
  }
  if (found > format.current) {
    throw new DataDirFormatError(
      `${folder} has format ${found}; this version knows up to ${format.current}. Start a newer version, or restore a backup`,
    );
  }
  for (let version = found; version < format.current; version += 1) {
    const step = format.steps[version];
    if (!step)
      throw new DataDirFormatError(
        `${folder} has format ${version}, which this version cannot upgrade`,
      );
    await step(folder);
    await writeFormat(folder, version + 1);
  }
  return found;
}

async function readFormat(folder: string): Promise<number | null> {
  let text: string;
  try {
    text = await readFile(join(folder, FORMAT_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const format = parseFormat(text);
  if (format === null) throw new DataDirFormatError(`${join(folder, FORMAT_FILE)} cannot be read`);
  return format;
}

function parseFormat(text: string): number | null {
  try {
    const { format } = JSON.parse(text) as { readonly format?: unknown };
    return typeof format === 'number' && Number.isInteger(format) && format > 0 ? format : null;
  } catch {
    return null;
  }
}

async function writeFormat(folder: string, format: number): Promise<void> {
  await replaceFile(join(folder, FORMAT_FILE), Buffer.from(`${JSON.stringify({ format })}\n`));
}
