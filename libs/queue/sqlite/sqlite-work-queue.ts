import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
  backOffMs,
  type BoundToLog,
  type Clock,
  createLogger,
  endsProcess,
  type LogBinding,
  type Logger,
  parseLogId,
  steadyTime,
  systemClock,
} from '#platform';

import type {
  ConsumeOptions,
  PublishOptions,
  QueueDelivery,
  QueueMessage,
  WorkQueue,
} from '../work-queue.port.js';
import { Consumer, type ConsumerOptions } from './consumer.js';
import { QueueThread } from './queue-thread.js';
import { Wakeups } from './wakeups.js';

export interface SqliteWorkQueueOptions {
  /** Folder of `queue.db`; one process at a time uses it. */
  readonly directory: string;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /**
   * Called once when the queue's thread died and nothing is published or received any more.
   * Default: logs a line and ends the process.
   */
  readonly onFatal?: (error: Error) => void;
  /**
   * After this many deliveries without an acknowledgement, a message goes to the dead letters.
   * Default 5.
   */
  readonly maxDeliveries?: number;
  /**
   * Time that a message stays with a consumer without renewal. The adapter renews leases. Default
   * 30,000.
   */
  readonly leaseMs?: number;
  /** Longest pause between two checks. Default 1,000. */
  readonly pollMs?: number;
  /**
   * Pause before the first redelivery of a rejected message; it doubles up to 60 s. Default 1,000.
   */
  readonly redeliveryDelayMs?: number;
  /** Number of ids of finished messages, and of dead letters, that are kept. Default 10,000. */
  readonly remembered?: number;
}

const MAX_REDELIVERY_DELAY_MS = 60_000;

/**
 * Opens the embedded queue. Its content is disposable. A file that does not open is replaced by an
 * empty one, and owners of checkpoints in it derive the work from the log again.
 */
export async function openSqliteWorkQueue(
  options: SqliteWorkQueueOptions,
): Promise<WorkQueue & BoundToLog> {
  await mkdir(options.directory, { recursive: true });
  const database = {
    path: join(options.directory, 'queue.db'),
    maxDeliveries: options.maxDeliveries ?? 5,
    remembered: options.remembered ?? 10_000,
  };
  const thread = await QueueThread.start(database).catch(async (error: unknown) => {
    if (!isUnreadable(error)) throw error;
    options.logger?.warn(
      { err: error, path: database.path },
      'queue: the file is unreadable; starting with an empty one',
    );
    for (const suffix of ['', '-wal', '-shm']) await rm(database.path + suffix, { force: true });
    return QueueThread.start(database);
  });
  const {
    onFatal = endsProcess(
      options.logger ?? createLogger('fatal'),
      'queue: the thread died; the process ends',
    ),
  } = options;
  void thread.died.then(onFatal);
  const first = options.redeliveryDelayMs ?? 1_000;
  const now = steadyTime(options.clock ?? systemClock);
  await thread.call('endImpossibleWaits', now(), MAX_REDELIVERY_DELAY_MS);
  return new SqliteWorkQueue(thread, now, {
    leaseMs: options.leaseMs ?? 30_000,
    pollMs: options.pollMs ?? 1_000,
    onError: (error) =>
      options.logger?.error({ err: error }, 'queue: messages could not be read; retrying'),
    redeliveryDelayMs: (deliveries) =>
      backOffMs({ firstMs: first, longestMs: MAX_REDELIVERY_DELAY_MS }, deliveries),
  });
}

class SqliteWorkQueue implements WorkQueue, BoundToLog {
  readonly logBinding: LogBinding;
  private readonly wakeups = new Wakeups();
  private readonly closing = new AbortController();
  private readonly consumers = new Set<Promise<void>>();

  constructor(
    private readonly thread: QueueThread,
    private readonly now: () => number,
    private readonly consumerOptions: ConsumerOptions,
  ) {
    this.logBinding = bindingOf(thread);
  }

  async publish<Body>(
    topic: string,
    messages: readonly QueueMessage<Body>[],
    { unlessWaiting = false }: PublishOptions = {},
  ): Promise<void> {
    const stored = messages.map(({ id, key, body }) => ({ id, key, body: JSON.stringify(body) }));
    await this.thread.call('publish', topic, stored, this.now(), unlessWaiting);
    this.wakeups.wake(topic);
  }

  async consume<Body>(
    topic: string,
    handler: (delivery: QueueDelivery<Body>) => Promise<void>,
    options: ConsumeOptions,
  ): Promise<void> {
    const { thread, wakeups, now, consumerOptions } = this;
    const consumer = new Consumer(topic, handler, thread, wakeups, now, consumerOptions);
    const signal = AbortSignal.any([options.signal, this.closing.signal]);
    const running = consumer.run({ ...options, signal });
    this.consumers.add(running);
    try {
      await running;
    } finally {
      this.consumers.delete(running);
    }
  }

  async deadLetters(topic: string, limit: number) {
    const rows = await this.thread.call('deadLetters', topic, limit);
    return rows.map(({ id, key, body, reason }) => ({
      message: { id, key, body: JSON.parse(body) as unknown },
      reason,
    }));
  }

  depth(topic: string) {
    return this.thread.call('depth', topic, this.now());
  }

  loadCheckpoint(name: string): Promise<string | null> {
    return this.thread.call('loadCheckpoint', name);
  }

  async saveCheckpoint(name: string, value: string): Promise<void> {
    await this.thread.call('saveCheckpoint', name, value);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.consumers);
    await this.thread.close();
  }
}

function bindingOf(thread: QueueThread): LogBinding {
  return {
    boundTo: async () => {
      const found = await thread.call('boundTo');
      return found === null ? null : parseLogId(found, 'The queue file');
    },
    bind: async (log) => void (await thread.call('bind', log)),
    isEmpty: () => thread.call('isEmpty'),
  };
}

/** SQLite's result families 11 (corrupt) and 26 (not a database). */
function isUnreadable(error: unknown): boolean {
  if (!(error instanceof Error && 'errcode' in error)) return false;
  const family = Number(error.errcode) & 0xff;
  return family === 11 || family === 26;
}
