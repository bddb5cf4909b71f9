import type {
  AppendExpectedRevision,
  AppendResult,
  EventData,
  EventStoreDBClient,
} from '@eventstore/db-client';

import type { StreamName } from '#contracts';
import { isTimeoutError, withTimeout } from '#platform';

import { AppendGate } from './append-gate.js';
import { isAnswer, isNotLeader, isServerTimeout } from './client-faults.js';
import { endClient, guardedClient } from './guarded-client.js';

/** One less than the size of the client's write buffer. */
const MAX_WRITING = 15;
const MAX_WAITING = 10_000;
/**
 * An append is sent as one message: splitting it would fill the client's write buffer. The server's
 * own limit is 1 MiB.
 */
const MESSAGE_BYTES = 16 * 1024 * 1024;

export interface AppendOptions {
  readonly expectedRevision: AppendExpectedRevision;
  readonly timeoutMs: number;
  /**
   * True if the server answered the same append before by giving up on it. If it is silent now, the
   * connection still works.
   */
  readonly repeats: boolean;
}

const connections = new Map<string, { readonly connection: Connection; users: number }>();

/**
 * The process's connection to a server. One client appends and another one reads, so neither waits
 * for the other, and a failed writer is replaced without ending subscriptions. A process has one
 * writer. The client keeps pending appends of all its instances in one table, and rejects all of
 * them when one instance loses its stream.
 */
export class Connection {
  readonly reader: EventStoreDBClient;
  /** Created by the first append. */
  private writer: EventStoreDBClient | null = null;
  private replaced: Promise<void> = Promise.resolve();
  private readonly gate = new AppendGate(MAX_WRITING, MAX_WAITING);

  private constructor(private readonly url: string) {
    this.reader = guardedClient(url);
  }

  /**
   * Returns the connection to this address, which all users share.
   * @throws RangeError for a malformed connection string.
   */
  static to(url: string): Connection {
    const known = connections.get(url);
    if (known) {
      known.users += 1;
      return known.connection;
    }
    const connection = new Connection(url);
    connections.set(url, { connection, users: 1 });
    return connection;
  }

  /**
   * @throws TimeoutError after `timeoutMs`, FootnoteError `engine_unavailable` if the append was
   * not sent, or the client's own errors.
   */
  async append(
    stream: StreamName,
    events: readonly EventData[],
    { expectedRevision, timeoutMs, repeats }: AppendOptions,
  ): Promise<AppendResult> {
    await this.gate.enter(timeoutMs);
    try {
      await this.replaced;
      const writer = (this.writer ??= guardedClient(this.url));
      try {
        const sent = writer.appendToStream(stream, [...events], {
          expectedRevision,
          batchAppendSize: MESSAGE_BYTES,
          requiresLeader: true,
        });
        return await withTimeout(
          sent,
          timeoutMs,
          `EventStoreDB did not answer within ${timeoutMs} ms`,
        );
      } catch (error) {
        const sound = isAnswer(error) || isNotLeader(error) || isServerTimeout(error);
        if (!sound && !(repeats && isTimeoutError(error))) this.replaceWriter(writer);
        throw error;
      }
    } finally {
      this.gate.leave();
    }
  }

  /** Ends the connection if it has no other users. */
  async release(): Promise<void> {
    const entry = connections.get(this.url);
    if (!entry || entry.connection !== this) return;
    entry.users -= 1;
    if (entry.users > 0) return;
    connections.delete(this.url);
    await Promise.all([
      this.replaced,
      endClient(this.reader),
      ...(this.writer ? [endClient(this.writer)] : []),
    ]);
  }

  /**
   * Replaces a failed writer, because a client can keep a failed connection, or a failed query of
   * the server's features, forever.
   */
  private replaceWriter(failed: EventStoreDBClient): void {
    if (this.writer !== failed) return;
    this.writer = null;
    this.replaced = endClient(failed);
  }
}
