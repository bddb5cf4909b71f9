import {
  ANY,
  type AppendExpectedRevision,
  type AppendResult as ClientResult,
  type EventData,
  NO_STREAM,
  STREAM_EXISTS,
  WrongExpectedVersionError,
} from '@eventstore/db-client';

import {
  FootnoteError,
  isFootnoteError,
  type Position,
  type ProposedEvent,
  type RecordedEvent,
  type StreamName,
} from '#contracts';
import { type Logger, sleep, systemClock } from '#platform';

import { InvalidEventError, OutcomeUnknownError } from '../errors/append-errors.js';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  ReadOptions,
  SubscribeOptions,
  SubscriptionDelivery,
} from '../event-store.port.js';
import { validateProposed } from '../serialization/validate-proposed.js';
import {
  asUnavailable,
  faultKind,
  isAnswer,
  isServerTimeout,
  wasNeverSent,
} from './client-faults.js';
import { explainConflict, type RequestedAppend } from './conflict.js';
import { Connection } from './connection.js';
import { checkConnectionString, dropsCredentials, logName } from './connection-string.js';
import { encodeEvents } from './event-codec.js';
import { subscribeLasting } from './lasting-subscription.js';
import { LogReader } from './log-reader.js';
import { formatPosition } from './position.js';
import { unusableServer } from './unusable-server.js';

/**
 * Pause before an append is repeated after the server gave up on it. A server whose clock is ahead
 * answers at once.
 */
const REPEAT_PAUSE_MS = 50;

export interface EventStoreDbOptions {
  /**
   * Connection string: `esdb://host:port`, several hosts, or `esdb+discover://name`, with
   * credentials and the client's own settings (`tls`, `tlsCAFile`, `defaultDeadline`…). Reads and
   * appends go to the leader, whatever `nodePreference` says. The user must be allowed to read
   * `$all`. Server 23.10 or newer.
   */
  readonly url: string;
  readonly logger: Logger;
  /** Milliseconds that a request may take. Default 10,000. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds for which a subscription with a lost connection is retried before its reader gets
   * an error. Default 15,000.
   */
  readonly reconnectForMs?: number;
}

/**
 * Opens the log on EventStoreDB. Stores of the same address in one process share their connection.
 * @throws FootnoteError `engine_unavailable` if the server cannot be reached now. RangeError for a
 * connection string that is malformed, has an unknown option or turns off what the adapter needs.
 * Error if the server rejects the credentials or one side rejects the TLS of the other.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  checkConnectionString(options.url);
  const store = new EventStoreDbEventStore(Connection.to(options.url), options);
  try {
    await store.head();
  } catch (error) {
    await store.close();
    throw (await unusableServer(error, options.url)) ?? error;
  }
  if (dropsCredentials(options.url)) {
    options.logger.warn(
      {},
      'event store: EventStoreDB is used without credentials, since they are sent over TLS only and tls=false is set',
    );
  }
  return store;
}

class EventStoreDbEventStore implements EventStore {
  /**
   * 2: earlier versions could skip an event that arrived while the server reported the end of an
   * empty history.
   */
  readonly deliveryVersion = 2;
  private readonly reader: LogReader;
  private readonly timeoutMs: number;
  private readonly closing = new AbortController();
  private readonly appending = new Set<Promise<unknown>>();

  constructor(
    private readonly connection: Connection,
    private readonly options: EventStoreDbOptions,
  ) {
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.reader = new LogReader(connection.reader, this.timeoutMs);
  }

  async append(
    stream: StreamName,
    events: readonly ProposedEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const valid = validateProposed(stream, events, expected);
    const encoded = encodeEvents(stream, valid);
    this.refuseClosed();
    const work = this.send({ stream, events: valid, expected }, encoded);
    this.appending.add(work);
    try {
      return await work;
    } finally {
      this.appending.delete(work);
    }
  }

  async *read(
    stream: StreamName,
    options: ReadOptions = {},
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    this.refuseClosed();
    yield* this.reader.stream(stream, options);
  }

  async *subscribe(
    options: SubscribeOptions,
  ): AsyncGenerator<SubscriptionDelivery, void, undefined> {
    this.refuseClosed();
    const { logger, reconnectForMs = 15_000, url } = this.options;
    const { reader, timeoutMs } = this;
    const client = this.connection.reader;
    const signal = AbortSignal.any([options.signal, this.closing.signal]);
    yield* subscribeLasting(
      { client, reader, timeoutMs, reconnectForMs, logger, clock: systemClock, log: logName(url) },
      { ...options, signal },
    );
    if (!options.signal.aborted) this.refuseClosed();
  }

  async head(): Promise<Position | null> {
    this.refuseClosed();
    return this.reader.head();
  }

  async reaches(position: Position): Promise<boolean> {
    this.refuseClosed();
    const end = await this.reader.end();
    return end !== null && position <= end;
  }

  /**
   * Waits for appends in flight, ends subscriptions with `shutting_down` and releases the
   * connection.
   */
  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    await Promise.allSettled([...this.appending]);
    await this.connection.release();
  }

  private async send(
    append: RequestedAppend,
    encoded: readonly EventData[],
  ): Promise<AppendResult> {
    const { stream } = append;
    try {
      return await this.result(stream, await this.sendUntilAnswered(append, encoded));
    } catch (error) {
      if (error instanceof WrongExpectedVersionError)
        return explainConflict(this.reader, append, error);
      throw appendFault(stream, error);
    }
  }

  /** Repeats an append that the server gave up on until the deadline; its ids make that safe. */
  private async sendUntilAnswered(
    { stream, expected }: RequestedAppend,
    encoded: readonly EventData[],
  ): Promise<ClientResult> {
    const expectedRevision = clientExpectation(expected);
    const deadline = systemClock.monotonic() + this.timeoutMs;
    for (let repeats = false; ; repeats = true) {
      const timeoutMs = deadline - systemClock.monotonic();
      try {
        return await this.connection.append(stream, encoded, {
          expectedRevision,
          timeoutMs,
          repeats,
        });
      } catch (error) {
        if (!isServerTimeout(error) || systemClock.monotonic() + REPEAT_PAUSE_MS >= deadline)
          throw error;
        await sleep(REPEAT_PAUSE_MS);
      }
    }
  }

  /** Completes the result: a server that recognizes a repeated append may omit its position. */
  private async result(
    stream: StreamName,
    { nextExpectedRevision, position }: ClientResult,
  ): Promise<AppendResult> {
    const revision = nextExpectedRevision;
    if (position) return { revision, position: formatPosition(position.commit) };
    for await (const event of this.reader.stream(stream, { from: revision, limit: 1 })) {
      return { revision, position: event.position };
    }
    throw new Error(
      `EventStoreDB acknowledged revision ${revision} of ${stream} but does not have it`,
    );
  }

  private refuseClosed(): void {
    if (this.closing.signal.aborted)
      throw new FootnoteError('shutting_down', 'The event log is closed');
  }
}

function clientExpectation(expected: ExpectedRevision): AppendExpectedRevision {
  switch (expected) {
    case 'none':
      return NO_STREAM;
    case 'exists':
      return STREAM_EXISTS;
    case 'any':
      return ANY;
    default:
      return expected;
  }
}

/**
 * Classifies a failed append for its caller: certainly not done, rejected, or of unknown outcome.
 */
function appendFault(stream: StreamName, error: unknown): unknown {
  if (isFootnoteError(error)) return error;
  if (wasNeverSent(error)) return asUnavailable(error);
  if (faultKind(error) === 'maximum-append-size-exceeded') {
    return new InvalidEventError(`An append to ${stream} is larger than the server accepts`, {
      cause: error,
    });
  }
  if (isAnswer(error)) return error;
  return new OutcomeUnknownError(stream, error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
