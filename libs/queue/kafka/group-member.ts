import type { Batch, Consumer, Kafka } from 'kafkajs';

import { backOffMs, type Logger, sleep, withTimeout } from '#platform';

import { stickyAssigner } from './sticky-assigner.js';

export interface GroupMemberOptions {
  readonly kafka: Kafka;
  readonly logger: Logger;
  readonly topic: string;
  readonly groupId: string;
  /** How long the brokers wait for a sign of life, milliseconds. */
  readonly sessionTimeoutMs: number;
  /** Resolves when the topic exists. */
  readonly ensureTopic: () => Promise<void>;
  /** The partitions that are ours from now on, before anything of them is read. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /**
   * Takes a batch in without waiting for anything to be done about it: reading is also what keeps
   * the membership alive.
   */
  readonly onBatch: (batch: Batch) => void;
}

/**
 * Bytes of one partition that are read at once; with the pause at a full window this bounds what is
 * in memory.
 */
const BATCH_BYTES = 262_144;
const PAUSES = { firstMs: 200, longestMs: 5_000, jitter: 0.25 };
const CONNECT_MS = 15_000;
const LEAVE_MS = 5_000;
const COMMIT_MS = 10_000;

/**
 * A member of a consumer group that stays one. The client ends a consumer for good after some
 * failures and says so by an event alone: whenever one ends, for whatever reason, a new one takes
 * its place.
 */
export class GroupMember {
  private consumer: Consumer | undefined;
  /** What this member was given last, which it asks to keep. */
  private owned: readonly number[] = [];

  constructor(private readonly options: GroupMemberOptions) {}

  /** Reads until the signal aborts, then leaves the group. Brokers that are away are waited for. */
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

  /** Offsets to read on from. @throws when they could not be committed; they may be even so. */
  async commit(
    offsets: readonly { readonly partition: number; readonly offset: bigint }[],
  ): Promise<void> {
    const { consumer } = this;
    if (!consumer) throw new Error('There is no consumer at the moment');
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

  /** One consumer's life. @returns why it ended; undefined when it was asked to. */
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
      // The default of 5 s is also what a rebalance, a resume and a leave would take.
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
    logger.warn({ err: error, topic, group: groupId }, 'A consumer ended and is replaced');
  }
}
