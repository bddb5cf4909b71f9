import { DatabaseSync } from 'node:sqlite';

/**
 * One row per event. `position` counts from 1 without gaps, `revision` from 0 without gaps within a
 * stream, and `hash` chains each row to the previous one. The two filter indexes let a subscription
 * jump from match to match.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS events (
    position    INTEGER PRIMARY KEY,
    stream      TEXT NOT NULL,
    revision    INTEGER NOT NULL,
    category    TEXT NOT NULL,
    id          TEXT NOT NULL,
    type        TEXT NOT NULL,
    data        TEXT NOT NULL,
    metadata    TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    hash        BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events (stream, revision);
  CREATE INDEX IF NOT EXISTS events_by_type ON events (type, position);
  CREATE INDEX IF NOT EXISTS events_by_category ON events (category, position);
`;

const LAYOUT = 1;

/**
 * Opens the file with the durability that the port promises. A commit is fsynced before it returns.
 * No other process can open the file at the same time, which also keeps the WAL index in memory
 * instead of in a shared file.
 * @throws Error of node:sqlite if the file is locked, unreadable or not a database; Error for a
 * newer layout.
 */
export function openLogDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL',
    );
    const layout = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
    if (layout > LAYOUT)
      throw new Error(`The event log has layout ${layout}; this version reads up to ${LAYOUT}`);
    if (layout < LAYOUT) database.exec(`BEGIN; ${TABLES} PRAGMA user_version = ${LAYOUT}; COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Returns the part of a stream's name before the first `-`. */
export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-');
  return dash < 0 ? stream : stream.slice(0, dash);
}
