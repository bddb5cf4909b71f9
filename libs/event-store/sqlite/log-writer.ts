import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { LRUCache } from 'lru-cache';

import { checkAppend, type StreamView } from './append-check.js';
import type { LogHead } from './log-head-anchor.js';
import type { AppendOutcome, AppendRequest, LogRow } from './log-protocol.js';
import { categoryOf } from './log-schema.js';
import { recordHash } from './row-codec.js';

/**
 * Number of recent event ids by which the expectations `any` and `exists` recognize a repeated
 * append.
 */
const RECENT_IDS = 10_000;

export interface GroupResult {
  readonly head: LogHead;
  readonly outcomes: readonly AppendOutcome[];
}

/**
 * Writes groups of appends, one transaction per group. Each append is checked against the log
 * including earlier appends of the group, and inserts nothing unless it passes. So one conflict
 * does not affect the others, and no savepoints are needed.
 */
export class LogWriter {
  private readonly last: StatementSync;
  private readonly ids: StatementSync;
  private readonly insert: StatementSync;
  private readonly positionOf: StatementSync;
  private readonly recent = new LRUCache<string, number>({ max: RECENT_IDS });

  constructor(private readonly database: DatabaseSync) {
    this.last = database.prepare('SELECT max(revision) AS last FROM events WHERE stream = ?');
    this.ids = database.prepare(
      'SELECT id FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
    );
    this.positionOf = database.prepare(
      'SELECT position FROM events WHERE stream = ? AND revision = ?',
    );
    this.insert = database.prepare(
      `INSERT INTO events (position, stream, revision, category, id, type, data, metadata, recorded_at, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, unhex(?))`,
    );
  }

  /**
   * Commits the group; durable in the log, but not yet anchored, when it returns. Outcomes are in
   * the order of `appends`.
   * @throws Error of node:sqlite; then nothing of the group is written.
   */
  write(appends: readonly AppendRequest[], head: LogHead, now: number): GroupResult {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      let end = head;
      const outcomes = appends.map((append) => {
        const [outcome, after] = this.writeOne(append, end, now);
        end = after;
        return outcome;
      });
      this.database.exec('COMMIT');
      return { head: end, outcomes };
    } catch (error) {
      this.recent.clear();
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  private writeOne(append: AppendRequest, head: LogHead, now: number): [AppendOutcome, LogHead] {
    const { stream, events } = append;
    const verdict = checkAppend(
      append.expected,
      events.map((event) => event.id),
      this.viewOf(stream),
    );
    if (verdict.kind === 'conflict' || verdict.kind === 'corrupted') return [verdict, head];
    if (verdict.kind === 'already-written') {
      const position = Number(this.positionOf.get(stream, verdict.revision)?.['position']);
      return [{ kind: 'appended', revision: verdict.revision, position }, head];
    }
    let end = head;
    let revision = verdict.next;
    for (const event of events) {
      const row: LogRow = {
        ...event,
        stream,
        revision,
        position: end.position + 1,
        recordedAt: now,
      };
      end = { position: row.position, hash: recordHash(end.hash, row) };
      this.insertRow(row, end.hash);
      this.recent.set(recentKey(stream, event.id), revision);
      revision += 1;
    }
    return [{ kind: 'appended', revision: revision - 1, position: end.position }, end];
  }

  private insertRow(row: LogRow, hash: string): void {
    const { position, stream, revision, id, type, data, metadata, recordedAt } = row;
    this.insert.run(
      position,
      stream,
      revision,
      categoryOf(stream),
      id,
      type,
      data,
      metadata,
      recordedAt,
      hash,
    );
  }

  private viewOf(stream: string): StreamView {
    return {
      last: this.last.get(stream)?.['last'] as number | null,
      idsFrom: (revision, count) =>
        this.ids.all(stream, revision, count).map((row) => row['id'] as string),
      recentRevision: (id) => this.recent.get(recentKey(stream, id)),
    };
  }
}

function recentKey(stream: string, id: string): string {
  return `${stream}\n${id}`;
}
