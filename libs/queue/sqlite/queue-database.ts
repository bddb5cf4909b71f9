import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';

import { FairShares } from '../fair-shares.js';
import { ADD_TENANT, QUEUE_SCHEMA, TENANT_INDEXES } from './queue-schema.js';

export interface StoredMessage {
  readonly id: string;
  readonly key: string;
  /** JSON text. */
  readonly body: string;
}

export interface LeasedMessage extends StoredMessage {
  readonly lease: string;
  readonly deliveries: number;
}

export interface QueueDatabaseOptions {
  readonly path: string;
  readonly maxDeliveries: number;
  /** Number of ids of finished messages, and of dead letters, that are kept over all topics. */
  readonly remembered: number;
}

const MAX_WAL_BYTES = 16 * 1024 ** 2;
/**
 * A file with at least this many free pages, and at least half of it, is rewritten at the start.
 */
const MIN_FREE_BYTES = 8 * 1024 ** 2;

/**
 * The queue's SQL, synchronous; it runs in the worker thread. A commit is not fsynced: after a
 * power failure the file has the state of an earlier commit. Messages and checkpoints share the
 * file, so a checkpoint is never ahead of its messages.
 */
export class QueueDatabase {
  private readonly db: DatabaseSync;
  /** Each statement is compiled once. */
  private readonly statements = new Map<string, StatementSync>();
  private leases = 0;
  private readonly shares = new Map<string, FairShares>();

  /** Opens the file and releases every lease, because its holder's process has ended. */
  constructor(private readonly options: QueueDatabaseOptions) {
    this.db = new DatabaseSync(options.path);
    this.db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA locking_mode = EXCLUSIVE;',
    );
    // A long transaction may make the write-ahead log long; the next checkpoint truncates it.
    this.db.exec(`PRAGMA journal_size_limit = ${MAX_WAL_BYTES}`);
    this.shrink();
    this.db.exec(QUEUE_SCHEMA);
    if (!this.knowsTenants()) this.db.exec(ADD_TENANT);
    this.db.exec(TENANT_INDEXES);
    this.db.exec('UPDATE messages SET lease = NULL, leased_until = NULL');
  }

  /**
   * Makes messages available that would wait longer than the longest delay. An earlier process
   * stored them by a wall clock that was ahead of this one.
   */
  endImpossibleWaits(now: number, longestMs: number): void {
    this.sql('UPDATE messages SET available_at = ? WHERE available_at > ?').run(
      now,
      now + longestMs,
    );
  }

  /**
   * @param unlessWaiting omits a message if one with the same key and body waits and nobody has
   * taken it.
   */
  publish(
    topic: string,
    messages: readonly StoredMessage[],
    now: number,
    unlessWaiting = false,
  ): void {
    this.transaction(() => {
      const insert = this.sql(
        `INSERT INTO messages (topic, id, key, body, enqueued_at, available_at)
         SELECT ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM done WHERE topic = ? AND id = ?)
         ON CONFLICT (topic, id) DO NOTHING`,
      );
      const waiting = this.sql(
        'SELECT 1 FROM messages WHERE topic = ? AND key = ? AND body = ? AND lease IS NULL',
      );
      for (const { id, key, body } of messages) {
        if (unlessWaiting && waiting.get(topic, key, body)) continue;
        insert.run(topic, id, key, body, now, now, topic, id);
      }
    });
  }

  /**
   * Leases up to `limit` messages, each the oldest of its key; moves those that were delivered too
   * often to the dead letters.
   * @param most maximum messages of one tenant, if tenants take turns; null: messages come in
   * order.
   */
  receive(
    topic: string,
    limit: number,
    now: number,
    leaseMs: number,
    most: number | null = null,
  ): LeasedMessage[] {
    return this.transaction(() => {
      const leased: LeasedMessage[] = [];
      while (leased.length < limit) {
        const row = most === null ? this.nextOf(topic, now) : this.nextByTurn(topic, now, most);
        if (!row) break;
        const message = { id: text(row['id']), key: text(row['key']), body: text(row['body']) };
        const deliveries = Number(row['deliveries']) + 1;
        if (deliveries > this.options.maxDeliveries) {
          this.bury(Number(row['seq']), 'Its consumer died at every delivery');
          continue;
        }
        const lease = `${process.pid}.${now}.${(this.leases += 1)}`;
        this.sql(
          'UPDATE messages SET lease = ?, leased_until = ?, deliveries = ? WHERE seq = ?',
        ).run(lease, now + leaseMs, deliveries, Number(row['seq']));
        leased.push({ ...message, lease, deliveries });
      }
      return leased;
    });
  }

  private nextByTurn(
    topic: string,
    now: number,
    most: number,
  ): Record<string, SQLOutputValue> | undefined {
    const shares = this.shares.get(topic) ?? new FairShares();
    this.shares.set(topic, shares);
    const held = this.sql(
      `SELECT tenant, count(*) AS held FROM messages
         WHERE topic = ? AND lease IS NOT NULL AND leased_until > ? GROUP BY tenant`,
    ).all(topic, now);
    // From tenant to tenant along the index, because thousands of messages of one tenant may wait.
    const tenants = this.sql(
      `WITH RECURSIVE waiting (tenant) AS (
         SELECT min(tenant) FROM messages WHERE topic = ?1
         UNION ALL
         SELECT (SELECT min(m.tenant) FROM messages m WHERE m.topic = ?1 AND m.tenant > waiting.tenant)
           FROM waiting WHERE waiting.tenant IS NOT NULL)
       SELECT tenant FROM waiting WHERE tenant IS NOT NULL`,
    ).all(topic);
    const order = shares.order(
      tenants.map(({ tenant }) => text(tenant)),
      new Map(held.map((row) => [text(row['tenant']), Number(row['held'])])),
      most,
    );
    for (const tenant of order) {
      const row = this.nextOf(topic, now, tenant);
      if (!row) continue;
      shares.given(tenant);
      return row;
    }
    return undefined;
  }

  private nextOf(
    topic: string,
    now: number,
    tenant?: string,
  ): Record<string, SQLOutputValue> | undefined {
    return this.sql(
      `SELECT seq, id, key, body, deliveries FROM messages m
         WHERE topic = ?${tenant === undefined ? '' : ' AND tenant = ?'} AND available_at <= ? AND (leased_until IS NULL OR leased_until <= ?)
           AND NOT EXISTS (SELECT 1 FROM messages e WHERE e.topic = m.topic AND e.key = m.key AND e.seq < m.seq)
         ORDER BY seq LIMIT 1`,
    ).get(topic, ...(tenant === undefined ? [] : [tenant]), now, now);
  }

  /** @returns the leases that are still held; the others were lost. */
  renew(leases: readonly string[], now: number, leaseMs: number): string[] {
    return this.transaction(() => {
      const renew = this.sql('UPDATE messages SET leased_until = ? WHERE lease = ?');
      return leases.filter((lease) => Number(renew.run(now + leaseMs, lease).changes) === 1);
    });
  }

  /** Removes a handled message and stores its id. A lost lease acknowledges nothing. */
  acknowledge(lease: string): void {
    this.transaction(() => {
      const row = this.sql('DELETE FROM messages WHERE lease = ? RETURNING topic, id').get(lease);
      if (!row) return;
      const { lastInsertRowid } = this.sql(
        'INSERT INTO done (topic, id) VALUES (?, ?) ON CONFLICT (topic, id) DO NOTHING',
      ).run(text(row['topic']), text(row['id']));
      this.sql('DELETE FROM done WHERE seq <= ?').run(
        Number(lastInsertRowid) - this.options.remembered,
      );
    });
  }

  /**
   * Returns a message to the queue: it is redelivered at `availableAt`, or becomes a dead letter
   * after its last delivery.
   */
  reject(lease: string, reason: string, availableAt: number): void {
    this.transaction(() => {
      const row = this.sql('SELECT seq, deliveries FROM messages WHERE lease = ?').get(lease);
      if (!row) return;
      if (Number(row['deliveries']) >= this.options.maxDeliveries)
        return this.bury(Number(row['seq']), reason);
      this.sql(
        'UPDATE messages SET lease = NULL, leased_until = NULL, available_at = ? WHERE seq = ?',
      ).run(availableAt, Number(row['seq']));
    });
  }

  /** Returns a message undelivered, at its position and at once: its consumer is shutting down. */
  release(lease: string): void {
    this.sql(
      'UPDATE messages SET lease = NULL, leased_until = NULL, deliveries = deliveries - 1 WHERE lease = ?',
    ).run(lease);
  }

  private bury(seq: number, reason: string): void {
    const { lastInsertRowid } = this.sql(
      `INSERT INTO dead_letters (topic, id, key, body, reason)
         SELECT topic, id, key, body, ? FROM messages WHERE seq = ?`,
    ).run(reason, seq);
    this.sql('DELETE FROM messages WHERE seq = ?').run(seq);
    this.sql('DELETE FROM dead_letters WHERE seq <= ?').run(
      Number(lastInsertRowid) - this.options.remembered,
    );
  }

  deadLetters(topic: string, limit: number): (StoredMessage & { reason: string })[] {
    return this.sql(
      'SELECT id, key, body, reason FROM dead_letters WHERE topic = ? ORDER BY seq DESC LIMIT ?',
    )
      .all(topic, limit)
      .map((row) => ({
        id: text(row['id']),
        key: text(row['key']),
        body: text(row['body']),
        reason: text(row['reason']),
      }));
  }

  depth(topic: string, now: number): { waiting: number; oldestAgeMs: number | null } {
    const row = this.sql(
      'SELECT count(*) AS waiting, min(enqueued_at) AS oldest FROM messages WHERE topic = ?',
    ).get(topic);
    const oldest = row?.['oldest'] ?? null;
    return {
      waiting: Number(row?.['waiting'] ?? 0),
      oldestAgeMs: oldest === null ? null : Math.max(0, now - Number(oldest)),
    };
  }

  loadCheckpoint(name: string): string | null {
    const row = this.sql('SELECT value FROM checkpoints WHERE name = ?').get(name);
    return row ? text(row['value']) : null;
  }

  saveCheckpoint(name: string, value: string): void {
    this.sql(
      'INSERT INTO checkpoints (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    ).run(name, value);
  }

  boundTo(): string | null {
    const row = this.sql('SELECT log_id FROM log_binding').get();
    return row ? text(row['log_id']) : null;
  }

  /** Synced to disk, unlike other commits here. */
  bind(logId: string): void {
    this.db.exec('PRAGMA synchronous = FULL');
    try {
      this.sql(
        'INSERT INTO log_binding (only_one, log_id) VALUES (1, ?) ON CONFLICT (only_one) DO UPDATE SET log_id = excluded.log_id',
      ).run(logId);
    } finally {
      this.db.exec('PRAGMA synchronous = NORMAL');
    }
  }

  isEmpty(): boolean {
    const tables = ['messages', 'done', 'dead_letters', 'checkpoints'];
    return tables.every((table) => this.sql(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined);
  }

  close(): void {
    this.db.close();
  }

  /**
   * Shrinks the file. SQLite reuses free pages and never returns them by itself, so the file of a
   * past backlog would stay large.
   */
  private shrink(): void {
    const free = this.numberOf('freelist_count');
    if (
      free * this.numberOf('page_size') < MIN_FREE_BYTES ||
      2 * free < this.numberOf('page_count')
    )
      return;
    this.db.exec('VACUUM');
  }

  private numberOf(pragma: string): number {
    return Number(Object.values(this.db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0);
  }

  private knowsTenants(): boolean {
    const columns = this.sql('PRAGMA table_xinfo(messages)').all();
    return columns.some(({ name }) => name === 'tenant');
  }

  private sql(text: string): StatementSync {
    const known = this.statements.get(text) ?? this.db.prepare(text);
    this.statements.set(text, known);
    return known;
  }

  private transaction<T>(work: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk ends the transaction by itself; another ROLLBACK would hide that behind its own
      // error.
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }
}

function text(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string')
    throw new Error('The queue file contains a value of an unexpected type');
  return value;
}
