import type { Batch, Consumer, Kafka } from 'kafkajs';

import { backOffMs, type Logger, sleep, withTimeout } from '#platform';

import { stickyAssigner } from './sticky-assigner.js';

export interface GroupMemberOptions {
  readonly kafka: Kafka;
  readonly logger: Logger;
  readonly topic: string;
  readonly groupId: string;
  /** Time that the brokers wait for a heartbeat, milliseconds. */
  readonly sessionTimeoutMs: number;
  /** Resolves when the topic exists. */
  readonly ensureTopic: () => Promise<void>;
  /** Called with the assigned partitions, before any of their records is read. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /**
   * Accepts a batch without waiting for its processing, because reading also keeps the membership
   * alive.
   */
  readonly onBatch: (batch: Batch) => void;
}

/**
 * Bytes of one partition that are read at once; with the pause at a full window, this limits
 * memory.
 */
const BATCH_BYTES = 262_144;
const PAUSES = { firstMs: 200, longestMs: 5_000, jitter: 0.25 };
const CONNECT_MS = 15_000;
const LEAVE_MS = 5_000;
const COMMIT_MS = 10_000;

/**
 * A permanent member of a consumer group. The client ends a consumer after some failures and
 * reports that only by an event. Whenever one ends, for any reason, a new one replaces it.
 */
export class GroupMember {
  private consumer: Consumer | undefined;
  /** The last assignment of this member, which it requests to keep. */
  private owned: readonly number[] = [];

  constructor(private readonly options: GroupMemberOptions) {}

  /** Reads until the signal aborts, then leaves the group. Waits for unreachable brokers. */
  async run(signal: AbortSignal): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const began = performance.now();
      try {
        const error = await this.live(signal);
        if (error === undefined) return;
        this.warn(error);
      } catch (error) {
        this.warn(error);
      }
      if (performance.now() - began > 60_000) attempt = 1;
      await sleep(backOffMs(PAUSES, attempt), signal);
    }
  }

  /**
   * Commits the next offsets to read.
   * @throws if they could not be committed; they may be nevertheless.
   */
  async commit(
    offsets: readonly { readonly partition: number; readonly offset: bigint }[],
  ): Promise<void> {
    const { consumer } = this;
    if (!consumer) throw new Error('There is no consumer at present');
    const { topic } = this.options;
    const commit = consumer.commitOffsets(
      offsets.map(({ partition, offset }) => ({ topic, partition, offset: String(offset) })),
    );
    await withTimeout(commit, COMMIT_MS, 'The offsets were not committed in time');
  }

  pause(partition: number): void {
    this.consumer?.pause([{ topic: this.options.topic, partitions: [partition] }]);
  }

  resume(partition: number): void {
    this.consumer?.resume([{ topic: this.options.topic, partitions: [partition] }]);
  }

  /**
   * Runs one consumer.
   * @returns the reason of its end; undefined if it was requested.
   */
  private async live(signal: AbortSignal): Promise<Error | undefined> {
    const { topic, kafka, onAssigned, onBatch, ensureTopic } = this.options;
    await ensureTopic();
    const consumer = kafka.consumer(this.consumerConfig());
    const ended = Promise.withResolvers<Error | undefined>();
    const onAbort = () => ended.resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      this.consumer = undefined;
      ended.resolve(payload.error);
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.owned = payload.memberAssignment[topic] ?? [];
      onAssigned(this.owned);
    });
    try {
      if (signal.aborted) return undefined;
      await withTimeout(consumer.connect(), CONNECT_MS, 'No broker answered in time');
      await withTimeout(
        consumer.subscribe({ topic, fromBeginning: true }),
        CONNECT_MS,
        'No broker answered in time',
      );
      this.consumer = consumer;
      const eachBatch = async ({ batch }: { batch: Batch }) => onBatch(batch);
      const running = consumer.run({ autoCommit: false, eachBatch });
      running.catch((error: unknown) => ended.resolve(error as Error));
      return await ended.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.consumer = undefined;
      await withTimeout(consumer.disconnect(), LEAVE_MS, 'Left late').catch(() => undefined);
    }
  }

  private consumerConfig() {
    const { groupId, sessionTimeoutMs } = this.options;
    return {
      groupId,
      partitionAssigners: [stickyAssigner(() => this.owned)],
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: sessionTimeoutMs,
      heartbeatInterval: Math.min(3_000, Math.floor(sessionTimeoutMs / 3)),
      // The default of 5 s would also delay a rebalance, a resume and a leave.
      maxWaitTimeInMs: 100,
      maxBytesPerPartition: BATCH_BYTES,
      allowAutoTopicCreation: false,
      retry: {
        initialRetryTime: 100,
        maxRetryTime: 2_000,
        retries: 8,
        restartOnFailure: async () => false,
      },
    };
  }

  private warn(error: unknown): void {
    const { logger, topic, groupId } = this.options;
    logger.warn({ err: error, topic, group: groupId }, 'queue: a consumer ended; replacing it');
  }
}
