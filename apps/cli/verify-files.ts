import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

import {
  type ExportReport,
  type JoinReport,
  type NoteKey,
  parseVerifierKey,
  verifyParts,
} from '#audit';

import { UsageError } from './usage-error.js';

export interface VerifyOptions {
  /** Files of checkpoints. */
  readonly checkpoint?: readonly string[];
  /** Files of keys. */
  readonly key?: readonly string[];
}

/** Verifies an export of a trail, whole or in parts. @throws UsageError for an unreadable file. */
export async function verifyFiles(
  files: readonly string[],
  { checkpoint = [], key = [] }: VerifyOptions,
): Promise<ExportReport | JoinReport> {
  try {
    const keys = (await Promise.all(key.map(keysOf))).flat();
    const checkpoints = await Promise.all(checkpoint.map((path) => readFile(path, 'utf8')));
    const parts = files.map((file): AsyncIterable<Uint8Array> =>
      file === '-' ? process.stdin : createReadStream(file),
    );
    return await verifyParts(parts, { keys, checkpoints });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new UsageError((error as Error).message, { cause: error });
    }
    throw error;
  }
}

async function keysOf(path: string): Promise<readonly NoteKey[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const key = parseVerifierKey(line.trim());
    if (!key) throw new UsageError(`${path} must have one key per line`);
    return key;
  });
}
