const TENANT_COLUMN =
  "tenant TEXT GENERATED ALWAYS AS (coalesce(CAST(json_extract(body, '$.tenant_id') AS TEXT), '')) VIRTUAL";

/** For files of versions without a tenant column. */
export const ADD_TENANT = `ALTER TABLE messages ADD COLUMN ${TENANT_COLUMN}`;
export const TENANT_INDEXES = `
  CREATE INDEX IF NOT EXISTS messages_by_tenant ON messages (topic, tenant, seq);
  CREATE INDEX IF NOT EXISTS messages_in_hand ON messages (topic, tenant) WHERE lease IS NOT NULL;
`;

/**
 * One table each for messages, ids of finished messages (so that a repeated publish changes
 * nothing), dead letters, checkpoints and the log of the queue. Times are milliseconds since the
 * epoch.
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
    ${TENANT_COLUMN},
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
