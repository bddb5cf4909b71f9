import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { lockFolder, type ProcessLock } from '#platform/data-dir/process-lock';

import { copyLog } from './log-copy.js';
import { type LogHead, LogHeadAnchor } from './log-head-anchor.js';
import type {
  AppendOutcome,
  AppendRequest,
  LogCopy,
  LogVerification,
  ReadStreamRequest,
  ScanPage,
  ScanRequest,
  StreamPage,
} from './log-protocol.js';
import { readStreamPage, scanPage } from './log-reader.js';
import { damageNoted, noteDamage, recoverLog } from './log-recovery.js';
import { openLogDatabase } from './log-schema.js';
import { verifyRange, verifyStructure } from './log-verification.js';
import { LogWriter } from './log-writer.js';
import { GENESIS } from './row-codec.js';
import { isStorageFull } from './sqlite-fault.js';

/** Names inside the log's folder. */
export const LOG_FILE = 'events.db';
export const ANCHOR_FILE = 'events.head';

/** The log inside its thread: synchronous, with one connection and exclusive files. */
export class SqliteLog {
  private readonly writer: LogWriter;
  private copying = false;

  private constructor(
    private readonly directory: string,
    private readonly lock: ProcessLock,
    private readonly database: DatabaseSync,
    private readonly anchor: LogHeadAnchor,
    private newest: LogHead,
    /** Number of events after the anchor that the last crash left and that were accepted. */
    readonly recovered: number,
    /** Progress of the background check, and its end. */
    private checked: LogHead,
    private readonly unverified: number,
  ) {
    this.writer = new LogWriter(database);
  }

  /**
   * @throws FolderInUseError; LogDamagedError if the log is not what was acknowledged; Error of
   * node:sqlite if it cannot be read.
   */
  static open(directory: string, verifyAtOpen: number): SqliteLog {
    const lock = lockFolder(directory, 'events.lock');
    let database: DatabaseSync | undefined;
    let anchor: LogHeadAnchor | undefined;
    try {
      database = openLogDatabase(join(directory, LOG_FILE));
      anchor = LogHeadAnchor.open(join(directory, ANCHOR_FILE));
      const suspect = damageNoted(directory);
      const { head, recovered, unverified } = recoverLog(
        database,
        anchor,
        suspect ? Infinity : verifyAtOpen,
      );
      if (suspect) rmSync(suspect, { force: true });
      const genesis = { position: 0, hash: GENESIS };
      return new SqliteLog(directory, lock, database, anchor, head, recovered, genesis, unverified);
    } catch (error) {
      anchor?.close();
      database?.close();
      lock.release();
      throw error;
    }
  }

  get head(): number {
    return this.newest.position;
  }

  /**
   * Writes a group of appends, syncs the log, then writes and syncs the anchor. Returned appends
   * are acknowledged and durable.
   * @throws Error; unless the disk is full (then nothing was written), the log must not be used any
   * more.
   */
  append(appends: readonly AppendRequest[], now: number): readonly AppendOutcome[] {
    const { head, outcomes } = this.writer.write(appends, this.newest, now);
    if (head.position > this.newest.position) {
      this.anchor.write(head);
      this.newest = head;
    }
    return outcomes;
  }

  readStream(request: ReadStreamRequest): StreamPage {
    return readStreamPage(this.database, request);
  }

  scan(request: ScanRequest): ScanPage {
    return scanPage(this.database, request, this.newest.position);
  }

  /**
   * Checks the file's structure and every event from the first to the newest.
   * @throws LogDamagedError.
   */
  verify(): LogVerification {
    const started = performance.now();
    verifyStructure(this.database);
    verifyRange(this.database, { position: 0, hash: GENESIS }, this.newest.position);
    return { events: this.newest.position, milliseconds: Math.round(performance.now() - started) };
  }

  /**
   * Checks the next `count` events that were not checked at open.
   * @returns whether more are left.
   * @throws LogDamagedError, after it was recorded next to the log so that every later open finds
   * it.
   */
  verifyNext(count: number): boolean {
    if (this.checked.position >= this.unverified) return false;
    try {
      this.checked = verifyRange(
        this.database,
        this.checked,
        Math.min(this.checked.position + count, this.unverified),
      );
      return this.checked.position < this.unverified;
    } catch (error) {
      noteDamage(this.directory, error);
      throw error;
    }
  }

  /** Copies the log into a new folder while it is in use; one copy at a time. */
  async copy(directory: string): Promise<LogCopy> {
    if (this.copying) throw new Error('A copy of the log is already running');
    this.copying = true;
    try {
      const names = { from: join(this.directory, LOG_FILE), log: LOG_FILE, anchor: ANCHOR_FILE };
      return await copyLog(this.database, directory, names, this.newest);
    } finally {
      this.copying = false;
    }
  }

  close(): void {
    try {
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isStorageFull(error)) throw error;
    }
    this.database.close();
    this.anchor.close();
    this.lock.release();
  }
}
