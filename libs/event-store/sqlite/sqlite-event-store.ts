import { mkdirSync } from 'node:fs';

import {
  FootnoteError,
  type Position,
  type ProposedEvent,
  type RecordedEvent,
  type StreamName,
} from '#contracts';

import {
  CorruptedIdempotencyError,
  OutcomeUnknownError,
  WrongExpectedRevisionError,
} from '../errors/append-errors.js';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  ReadOptions,
  SubscribeOptions,
  SubscriptionDelivery,
} from '../event-store.port.js';
import { validateProposed } from '../serialization/validate-proposed.js';
import { HeadSignal } from './head-signal.js';
import { LogClient, LogTimeoutError } from './log-client.js';
import type {
  AppendOutcome,
  LogCopy,
  LogRequest,
  LogVerification,
  ScanPage,
  StreamPage,
} from './log-protocol.js';
import { LogTail } from './log-tail.js';
import { formatPosition, parsePosition } from './position.js';
import { decodeRow, encodeEvent } from './row-codec.js';
import { subscribeToLog } from './sqlite-subscription.js';
import { TailFeed } from './tail-feed.js';

const READ_PAGE = 500;
const VERIFY_TIMEOUT_MS = 3_600_000;
const COPY_TIMEOUT_MS = 3_600_000;

export interface SqliteEventStoreOptions {
  /** Folder of the log's files; created if it is missing. */
  readonly directory: string;
  /**
   * Called once when the disk fails or the log is found damaged, after every pending append was
   * rejected. The process must exit: results of SQLite after a failed fsync are worthless.
   */
  readonly onFatal: (error: Error) => void;
  readonly logger?: { warn(fields: object, message: string): void };
  /** Milliseconds that a request may take. Default 10,000. */
  readonly timeoutMs?: number;
  /**
   * A log of up to this many events is verified completely before it opens. Of a longer one, the
   * newest this many are; the rest is verified in the background. Default 50,000.
   */
  readonly verifyAtOpen?: number;
}

/** The embedded log. Methods beyond the port are specific to this adapter. */
export interface SqliteEventStore extends EventStore {
  /**
   * Checks the whole log, structure and hash chain; a fault is fatal. Appends wait during the
   * check.
   */
  verify(): Promise<LogVerification>;
  /**
   * Copies the log into a new folder while appends continue; the folder opens as a log of its own.
   * @returns the newest event of the copy, null for an empty log.
   */
  copyTo(directory: string): Promise<{ readonly position: Position; readonly hash: string } | null>;
}

/**
 * Opens the log in its own thread and locks it for this process.
 * @throws LogDamagedError if acknowledged events are missing or changed; LogFailedError if it
 * cannot be opened, for example because another process uses it.
 */
export async function openSqliteEventStore(
  options: SqliteEventStoreOptions,
): Promise<SqliteEventStore> {
  mkdirSync(options.directory, { recursive: true });
  const head = new HeadSignal(0);
  const tail = new LogTail(0);
  const feed = new TailFeed(tail);
  const { client, ...opened } = await LogClient.open(
    { directory: options.directory, verifyAtOpen: options.verifyAtOpen ?? 50_000 },
    {
      onGrowth: (growth) => {
        feed.grew(growth);
        head.advance(growth.head);
      },
      onFatal: (error) => {
        head.end(error);
        options.onFatal(error);
      },
    },
  );
  tail.skipTo(opened.head);
  head.advance(opened.head);
  if (opened.recovered > 0) {
    options.logger?.warn(
      { events: opened.recovered, head: formatPosition(opened.head) },
      'event store: accepted events that a crash left written but unacknowledged',
    );
  }
  return new SqliteAdapter(
    client,
    head,
    tail,
    feed,
    options.directory,
    options.timeoutMs ?? 10_000,
  );
}

class SqliteAdapter implements SqliteEventStore {
  readonly deliveryVersion = 1;

  constructor(
    private readonly client: LogClient,
    private readonly place: HeadSignal,
    private readonly tail: LogTail,
    private readonly feed: TailFeed,
    private readonly directory: string,
    private readonly timeoutMs: number,
  ) {}

  async append(
    stream: StreamName,
    events: readonly ProposedEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const rows = validateProposed(stream, events, expected).map(encodeEvent);
    const expectation = typeof expected === 'bigint' ? Number(expected) : expected;
    const tag = this.feed.sending(stream, rows);
    const request: LogRequest = {
      kind: 'append',
      tag,
      stream,
      expected: expectation,
      events: rows,
    };
    let outcome: AppendOutcome;
    try {
      outcome = await this.client.ask<AppendOutcome>(request, this.timeoutMs);
    } catch (error) {
      if (error instanceof LogTimeoutError)
        throw new OutcomeUnknownError(stream, error.message, { cause: error });
      throw error;
    } finally {
      this.feed.settled(tag);
    }
    switch (outcome.kind) {
      case 'appended':
        return { revision: BigInt(outcome.revision), position: formatPosition(outcome.position) };
      case 'conflict':
        throw new WrongExpectedRevisionError(
          stream,
          expected,
          outcome.actual === null ? 'none' : BigInt(outcome.actual),
        );
      case 'corrupted':
        throw new CorruptedIdempotencyError(stream, rows[0]?.id ?? '');
      case 'storage-full':
        throw new FootnoteError(
          'storage_full',
          'The disk is full; nothing was written. Free space, then repeat the request',
        );
    }
  }

  async *read(
    stream: StreamName,
    options: ReadOptions = {},
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    const backwards = options.backwards ?? false;
    let left = options.limit ?? Infinity;
    let from = options.from === undefined ? null : Number(options.from);
    while (left > 0) {
      const page = await this.query<StreamPage>({
        kind: 'read-stream',
        stream,
        from,
        backwards,
        limit: Math.min(left, READ_PAGE),
      });
      for (const row of page.rows) yield decodeRow(row);
      const last = page.rows.at(-1);
      if (page.end || !last) return;
      left -= page.rows.length;
      from = backwards ? last.revision - 1 : last.revision + 1;
    }
  }

  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionDelivery> {
    return subscribeToLog(
      {
        directory: this.directory,
        head: this.place,
        tail: this.tail,
        scan: (request) => this.query<ScanPage>(request),
      },
      options,
    );
  }

  async head(): Promise<Position | null> {
    return this.place.current === 0 ? null : formatPosition(this.place.current);
  }

  async reaches(position: Position): Promise<boolean> {
    return parsePosition(position) <= this.place.current;
  }

  async copyTo(
    directory: string,
  ): Promise<{ readonly position: Position; readonly hash: string } | null> {
    const copy = await this.client.ask<LogCopy>({ kind: 'copy', directory }, COPY_TIMEOUT_MS);
    return copy.position === 0
      ? null
      : { position: formatPosition(copy.position), hash: copy.hash };
  }

  verify(): Promise<LogVerification> {
    return this.client.ask<LogVerification>({ kind: 'verify' }, VERIFY_TIMEOUT_MS);
  }

  async close(): Promise<void> {
    this.place.end(new FootnoteError('shutting_down', 'The event log is closed'));
    await this.client.close(this.timeoutMs);
  }

  private async query<Value>(request: LogRequest): Promise<Value> {
    try {
      return await this.client.ask<Value>(request, this.timeoutMs);
    } catch (error) {
      if (!(error instanceof LogTimeoutError)) throw error;
      throw new FootnoteError('engine_unavailable', 'The event log did not answer in time', {
        cause: error,
      });
    }
  }
}
