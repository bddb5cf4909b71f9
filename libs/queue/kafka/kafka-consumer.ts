import type { Batch, Kafka, KafkaMessage } from 'kafkajs';

import { aborted, KeyedQueue, type Logger, sleep, withTimeout } from '#platform';

import { mostOf, tenantOf } from '../fair-shares.js';
import type { ConsumeOptions, QueueDelivery, QueueMessage } from '../work-queue.port.js';
import { GroupMember } from './group-member.js';
import { MessageSlots } from './message-slots.js';
import { OffsetCommits } from './offset-commits.js';
import { PartitionWindow } from './partition-window.js';
import { readRecord, type RecordPlace } from './records.js';

export interface KafkaConsumerOptions {
  readonly kafka: Kafka;
  readonly logger: Logger;
  /** Full name. */
  readonly topic: string;
  readonly groupId: string;
  readonly leaseMs: number;
  readonly maxDeliveries: number;
  /** Returns the pause before a rejected message is redelivered, by its deliveries so far. */
  readonly redeliveryDelayMs: (deliveries: number) => number;
  readonly ensureTopic: () => Promise<void>;
  /**
   * Stores a record that cannot be handled as a dead letter.
   * @throws if that is impossible at present.
   */
  readonly bury: (record: KafkaMessage, place: RecordPlace, reason: string) => Promise<void>;
}

/**
 * A partition is read while fewer than this number of its records are in hand, and again below a
 * quarter of it. The window spans several tenants, so that sources of tenants further back are
 * seen.
 */
const WINDOW = 1_024;
const FLUSH_MS = 5_000;
const BURY_PAUSE_MS = 1_000;

/**
 * One consumer of a topic. Reading is separate from handling. So a handler that takes an hour, or a
 * message that waits for redelivery, delays only its own key, and the membership stays alive. A
 * rebalance takes away the partitions of another process; work on the others continues. Work in
 * hand also continues while the brokers are unreachable, because nobody else can get it then.
 */
export class KafkaConsumer<Body> {
  private readonly windows = new Map<number, PartitionWindow>();
  private readonly paused = new Set<number>();
  private readonly queue = new KeyedQueue();
  private readonly leaving = new AbortController();
  private readonly member: GroupMember;
  private readonly commits: OffsetCommits;
  private slots = new MessageSlots(1);
  private stopping = false;

  constructor(
    private readonly handler: (delivery: QueueDelivery<Body>) => Promise<void>,
    private readonly options: KafkaConsumerOptions,
  ) {
    const { kafka, logger, topic, groupId, leaseMs, ensureTopic } = options;
    this.member = new GroupMember({
      kafka,
      logger,
      topic,
      groupId,
      sessionTimeoutMs: leaseMs,
      ensureTopic,
      onAssigned: (partitions) => this.assigned(partitions),
      onBatch: (batch) => this.takeIn(batch),
    });
    this.commits = new OffsetCommits(this.member, this.windows, logger, this.leaving.signal);
  }

  /**
   * Aborts the handlers in flight; successful ones are still committed before the consumer leaves
   * the group.
   */
  async run({
    concurrency = 1,
    byTenant = false,
    mostOfTenant,
    signal,
  }: ConsumeOptions): Promise<void> {
    this.slots = new MessageSlots(
      concurrency,
      byTenant ? (mostOfTenant ?? mostOf(concurrency)) : null,
    );
    const reading = this.member.run(this.leaving.signal);
    await aborted(signal);
    this.stopping = true;
    for (const window of this.windows.values()) window.revoke();
    await this.queue.idle();
    await withTimeout(this.commits.settled(), FLUSH_MS, 'Offsets were not committed in time').catch(
      (error: unknown) =>
        this.options.logger.warn(
          { err: error },
          'queue: offsets are not committed; finished messages will be delivered again',
        ),
    );
    this.leaving.abort();
    await reading;
  }

  private assigned(partitions: readonly number[]): void {
    for (const window of this.windows.values())
      if (!partitions.includes(window.partition)) this.drop(window);
    for (const partition of this.paused) this.member.resume(partition);
    this.paused.clear();
  }

  private drop(window: PartitionWindow): void {
    window.revoke();
    this.windows.delete(window.partition);
  }

  private takeIn(batch: Batch): void {
    const [first] = batch.messages;
    if (!first || this.stopping) return;
    const window = this.windowOf(batch.partition, BigInt(first.offset));
    for (const record of batch.messages) {
      if (window.take(BigInt(record.offset))) this.add(record, window);
    }
    window.passed(BigInt(batch.lastOffset()) + 1n);
    if (window.size >= WINDOW && !this.paused.has(batch.partition)) {
      this.paused.add(batch.partition);
      this.member.pause(batch.partition);
    }
  }

  /** Offsets below the committed one mean a new topic of the same name, or a reset of the group. */
  private windowOf(partition: number, first: bigint): PartitionWindow {
    const known = this.windows.get(partition);
    if (known && first >= known.committed) return known;
    if (known) this.drop(known);
    const window = new PartitionWindow(partition, first);
    this.windows.set(partition, window);
    return window;
  }

  private add(record: KafkaMessage, window: PartitionWindow): void {
    const read = readRecord(record);
    const key =
      read.kind === 'message' ? read.message.key : `\0${window.partition}/${record.offset}`;
    void this.queue.run(key, async () => {
      const ended =
        read.kind === 'message'
          ? await this.deliver(read.message as QueueMessage<Body>, record, window)
          : await this.bury(record, window, read.reason);
      if (ended) this.end(record, window);
    });
  }

  /** @returns false if the message was taken away: it is delivered again, here or elsewhere. */
  private async deliver(
    message: QueueMessage<Body>,
    record: KafkaMessage,
    window: PartitionWindow,
  ): Promise<boolean> {
    const { signal } = window;
    for (let deliveries = 1; ; deliveries += 1) {
      const outcome = await this.slots.run(
        () => this.attempt({ message, deliveries, signal }),
        tenantOf(message.body),
      );
      if (outcome === 'handled') return true;
      if (outcome === 'taken' || signal.aborted) return false;
      const { maxDeliveries, redeliveryDelayMs } = this.options;
      if (deliveries >= maxDeliveries) return this.bury(record, window, reasonOf(outcome.error));
      await sleep(redeliveryDelayMs(deliveries), signal);
    }
  }

  private async attempt(
    delivery: QueueDelivery<Body>,
  ): Promise<'handled' | 'taken' | { readonly error: unknown }> {
    if (delivery.signal.aborted) return 'taken';
    try {
      await this.handler(delivery);
      return 'handled';
    } catch (error) {
      return { error };
    }
  }

  private async bury(
    record: KafkaMessage,
    { partition, signal }: PartitionWindow,
    reason: string,
  ): Promise<boolean> {
    const { topic, bury, logger } = this.options;
    while (!signal.aborted) {
      try {
        await bury(record, { topic, partition }, reason);
        logger.warn(
          { topic, partition, offset: record.offset, reason },
          'queue: a message failed too often; moved it to the dead letters',
        );
        return true;
      } catch (error) {
        logger.warn(
          { err: error, topic, partition },
          'queue: dead letters cannot be written; retrying',
        );
        await sleep(BURY_PAUSE_MS, signal);
      }
    }
    return false;
  }

  private end(record: KafkaMessage, window: PartitionWindow): void {
    window.done(BigInt(record.offset));
    if (this.windows.get(window.partition) !== window) return;
    this.commits.poke();
    if (window.size < WINDOW / 4 && this.paused.delete(window.partition))
      this.member.resume(window.partition);
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
