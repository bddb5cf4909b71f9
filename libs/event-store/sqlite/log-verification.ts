import type { DatabaseSync } from 'node:sqlite';

import { LogDamagedError } from '../errors/log-errors.js';
import type { LogHead } from './log-head-anchor.js';
import type { LogRow } from './log-protocol.js';
import { formatPosition } from './position.js';
import { GENESIS, recordHash } from './row-codec.js';

/** Returns position and stored hash of the newest event. */
export function storedHead(database: DatabaseSync): LogHead {
  const row = database
    .prepare('SELECT position, lower(hex(hash)) AS hash FROM events ORDER BY position DESC LIMIT 1')
    .get();
  return row
    ? { position: Number(row['position']), hash: String(row['hash']) }
    : { position: 0, hash: GENESIS };
}

/**
 * Returns the stored hash at a position; the start of the log has one too.
 * @throws LogDamagedError if there is no such event.
 */
export function storedHash(database: DatabaseSync, position: number): string {
  if (position === 0) return GENESIS;
  const row = database
    .prepare('SELECT lower(hex(hash)) AS hash FROM events WHERE position = ?')
    .get(position);
  if (!row)
    throw new LogDamagedError(`The event log has no event at position ${formatPosition(position)}`);
  return String(row['hash']);
}

/**
 * Checks every event after `from` up to `to`, included: positions without gaps and hashes that
 * follow from one another.
 * @returns the head at the end of the checked part.
 * @throws LogDamagedError with the first invalid position.
 */
export function verifyRange(database: DatabaseSync, from: LogHead, to: number): LogHead {
  const rows = database
    .prepare(
      `SELECT position, stream, revision, id, type, data, metadata, recorded_at AS recordedAt, lower(hex(hash)) AS hash
       FROM events WHERE position > ? AND position <= ? ORDER BY position`,
    )
    .iterate(from.position, to);
  let head = from;
  for (const record of rows) {
    const row = record as unknown as LogRow & { readonly hash: string };
    const place = head.position + 1;
    if (row.position !== place)
      throw new LogDamagedError(`The event log has no event at ${formatPosition(place)}`);
    const hash = recordHash(head.hash, row);
    if (hash !== row.hash)
      throw new LogDamagedError(`The event at ${formatPosition(place)} is not what was written`);
    head = { position: place, hash };
  }
  if (head.position !== to) {
    throw new LogDamagedError(`The event log has no event at ${formatPosition(head.position + 1)}`);
  }
  return head;
}

/**
 * Checks tables and indexes page by page, on disk instead of in the cache.
 * @throws LogDamagedError with the first finding.
 */
export function verifyStructure(database: DatabaseSync): void {
  database.exec('PRAGMA shrink_memory');
  const finding = String(database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']);
  if (finding !== 'ok') throw new LogDamagedError(`The event log's file is damaged: ${finding}`);
}
