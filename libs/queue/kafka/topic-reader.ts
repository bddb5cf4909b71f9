import { randomUUID } from 'node:crypto';

import type { Admin, Batch, Consumer, Kafka, KafkaMessage } from 'kafkajs';

import { withTimeout } from '#platform';

import type { Reconnecting } from './reconnecting.js';

interface Range {
  readonly partition: number;
  readonly from: bigint;
  readonly to: bigint;
}

const LEAVE_MS = 3_000;

/** Reads a part of a topic once, by a consumer that is discarded afterwards with its group. */
export class TopicReader {
  constructor(
    private readonly kafka: Kafka,
    private readonly admin: Reconnecting<Admin>,
    private readonly groupPrefix: string,
    /** Timeout of one read, milliseconds. */
    private readonly timeoutMs: number,
  ) {}

  /**
   * Returns records of each partition in order: the newest `last`, or all.
   * @throws TimeoutError if not everything was read in time.
   */
  async read(topic: string, last?: number): Promise<readonly KafkaMessage[]> {
    const offsets = await this.admin.use((admin) => admin.fetchTopicOffsets(topic));
    const ranges = offsets
      .map(({ partition, low, high }) => ({
        partition,
        from: start(BigInt(low), BigInt(high), last),
        to: BigInt(high),
      }))
      .filter(({ from, to }) => from < to);
    if (ranges.length === 0) return [];
    const groupId = `${this.groupPrefix}reader.${randomUUID()}`;
    const consumer = this.kafka.consumer({
      groupId,
      sessionTimeout: 10_000,
      maxWaitTimeInMs: 50,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 100, retries: 5, restartOnFailure: async () => false },
    });
    try {
      return await withTimeout(
        readRanges(consumer, topic, ranges),
        this.timeoutMs,
        `The topic was not read within ${this.timeoutMs} ms`,
      );
    } finally {
      await withTimeout(consumer.disconnect(), LEAVE_MS, 'Left late').catch(() => undefined);
      // An empty group also expires by itself.
      await this.admin.use((admin) => admin.deleteGroups([groupId])).catch(() => undefined);
    }
  }
}

function start(low: bigint, high: bigint, last: number | undefined): bigint {
  const from = last === undefined ? low : high - BigInt(last);
  return from > low ? from : low;
}

async function readRanges(
  consumer: Consumer,
  topic: string,
  ranges: readonly Range[],
): Promise<KafkaMessage[]> {
  const records = new Map<number, KafkaMessage[]>(ranges.map(({ partition }) => [partition, []]));
  const missing = new Set(records.keys());
  const complete = Promise.withResolvers<void>();
  consumer.on(consumer.events.CRASH, ({ payload }) => complete.reject(payload.error));
  complete.promise.catch(() => undefined);
  const onBatch = (batch: Batch) => {
    const { partition, messages } = batch;
    const range = ranges.find((candidate) => candidate.partition === partition);
    const kept = records.get(partition);
    if (!range || !kept) return;
    for (const message of messages) {
      const offset = BigInt(message.offset);
      const newest = kept.at(-1);
      if (offset < range.from || offset >= range.to || (newest && offset <= BigInt(newest.offset)))
        continue;
      kept.push(message);
    }
    if (BigInt(batch.lastOffset()) + 1n >= range.to) missing.delete(partition);
    if (missing.size === 0) complete.resolve();
  };
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => onBatch(batch),
  });
  for (const { partition, from } of ranges)
    consumer.seek({ topic, partition, offset: String(from) });
  await complete.promise;
  return [...records.values()].flat();
}
