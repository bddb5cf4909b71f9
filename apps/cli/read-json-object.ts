import { readFile } from 'node:fs/promises';

import { UsageError } from './usage-error.js';

/**
 * Returns the JSON object of a file; an empty one if there is no file.
 * @param problem the end of the error's sentence after the path, which never quotes the file: its
 * text may be a key.
 * @throws UsageError for a file that is no JSON object: nothing of it may be lost.
 */
export async function readJsonObject(
  path: string,
  problem: string,
): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new UsageError(`${path} ${problem}`);
}

/** Returns undefined for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
