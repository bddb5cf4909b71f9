/**
 * One table of messages, the ids of those that are done (so that a repeated publish changes nothing), dead letters,
 * checkpoints and the log that all of it belongs to. Times are milliseconds since the epoch.
 */
export const QUEUE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    enqueued_at INTEGER NOT NULL,
    available_at INTEGER NOT NULL,
    deliveries INTEGER NOT NULL DEFAULT 0,
    lease TEXT,
    leased_until INTEGER,
    UNIQUE (topic, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_key ON messages (topic, key, seq);
  CREATE TABLE IF NOT EXISTS done (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (topic, id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS dead_letters (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS dead_letters_by_topic ON dead_letters (topic, seq);
  CREATE TABLE IF NOT EXISTS checkpoints (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS log_binding (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), log_id TEXT NOT NULL) STRICT;
`;
