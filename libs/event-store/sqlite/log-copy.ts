import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, backup } from 'node:sqlite';

import { HeadWitness, type LogHead } from './head-witness.js';
import { GENESIS } from './record-hash.js';

/** Pages copied at once; between two portions the log takes appends. */
const PAGES = 256;

/**
 * Copies a log that is in use into a new folder, with a witness of its own, so that the folder opens as a log. Appends
 * that arrive meanwhile are in the copy or not, but never in part.
 * @returns the newest event of the copy
 */
export async function copyLog(
  database: DatabaseSync,
  directory: string,
  names: { readonly log: string; readonly witness: string },
): Promise<LogHead> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, names.log);
  await backup(database, path, { rate: PAGES });
  const head = settle(path);
  const witness = HeadWitness.open(join(directory, names.witness));
  try {
    if (head.position > 0) witness.write(head);
  } finally {
    witness.close();
  }
  return head;
}

/** Brings the copy to rest in its one file and reads its head. */
function settle(path: string): LogHead {
  const copy = new DatabaseSync(path);
  try {
    copy.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)');
    const row = copy.prepare('SELECT position, hash FROM events ORDER BY position DESC LIMIT 1').get();
    if (!row) return { position: 0, hash: GENESIS };
    return { position: Number(row['position']), hash: Buffer.from(row['hash'] as Uint8Array).toString('hex') };
  } finally {
    copy.close();
  }
}
