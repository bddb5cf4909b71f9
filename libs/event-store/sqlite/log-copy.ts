import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { syncFolder } from '#platform/files/durable';

import { type LogHead, LogHeadAnchor } from './log-head-anchor.js';

/** SQLite's default number of WAL pages before it moves them into the main file. */
const AUTO_CHECKPOINT_PAGES = 1_000;
const COPY_TIMEOUT_MS = 3_600_000;

/**
 * Copies and syncs a file in its own process, because closing a file here would drop SQLite's locks
 * on it.
 */
const COPIER = `
  const { copyFileSync, openSync, fsyncSync } = require('node:fs');
  const [from, to] = process.argv.slice(1);
  copyFileSync(from, to);
  fsyncSync(openSync(to, 'r+'));
`;

/**
 * Copies a log in use into a new folder, with an anchor of its own, so that the folder opens as a
 * log. During the copy, appends stay in the WAL and the main file does not change. The copy is the
 * log at the start of the copy.
 * @param head the newest event at this moment; nothing may be appended before the first `await`.
 */
export async function copyLog(
  database: DatabaseSync,
  directory: string,
  names: { readonly from: string; readonly log: string; readonly anchor: string },
  head: LogHead,
): Promise<LogHead> {
  mkdirSync(directory, { recursive: true });
  database.exec('PRAGMA wal_autocheckpoint = 0');
  try {
    const moved = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    if (moved?.['busy'] !== 0)
      throw new Error('The log is busy and cannot be copied now; repeat the request');
    await promisify(execFile)(
      process.execPath,
      ['-e', COPIER, names.from, join(directory, names.log)],
      {
        timeout: COPY_TIMEOUT_MS,
      },
    );
  } finally {
    database.exec(`PRAGMA wal_autocheckpoint = ${AUTO_CHECKPOINT_PAGES}`);
  }
  const anchor = LogHeadAnchor.open(join(directory, names.anchor));
  try {
    if (head.position > 0) anchor.write(head);
  } finally {
    anchor.close();
  }
  await syncFolder(directory);
  return head;
}
