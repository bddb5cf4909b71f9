import kafkajs, { type Admin, type Kafka, type KafkaMessage, type Producer } from 'kafkajs';

import { isFootnoteError } from '#contracts';
import { backOffMs, type BoundToLog, type LogBinding, tlsFailure } from '#platform';

import type { ConsumeOptions, QueueDelivery, QueueMessage, WorkQueue } from '../work-queue.port.js';
import { Checkpoints, checkpointsBinding } from './checkpoints.js';
import { depthOf } from './depth.js';
import { isUnknownTopic, kafkaClient, kafkaUnavailable, refusedLogin } from './kafka-client.js';
import { KafkaConsumer } from './kafka-consumer.js';
import type { KafkaWorkQueueOptions } from './kafka-options.js';
import { Reconnecting } from './reconnecting.js';
import { inBatches, readDeadLetter, type RecordPlace, toDeadLetter, toRecord } from './records.js';
import { TopicReader } from './topic-reader.js';
import { type TopicKind, Topics } from './topics.js';

const MAX_REDELIVERY_DELAY_MS = 60_000;
/** Timeout of everything except consuming. */
const ANSWER_MS = 12_000;
const DEFAULT_PREFIX = 'footnote.';

/**
 * Opens the queue on Kafka: one topic and consumer group per topic, messages with their keys, and
 * offsets committed after their handlers. Unlike the embedded queue it does not remember message
 * ids. It counts the deliveries of a message from one again after the loss of its consumer.
 * Handlers therefore acknowledge messages that are no longer due.
 * @throws FootnoteError `engine_unavailable` if no broker answers; Error if they reject the
 * credentials or have untrusted certificates.
 */
export async function openKafkaWorkQueue(
  options: KafkaWorkQueueOptions,
): Promise<WorkQueue & BoundToLog> {
  const queue = new KafkaWorkQueue(options);
  try {
    await queue.reach();
    return queue;
  } catch (error) {
    await queue.close();
    const refused = refusedLogin(error);
    if (refused)
      throw new Error(`The brokers reject the credentials: ${refused.message}`, { cause: error });
    throw tlsFailure('Kafka', error) ?? error;
  }
}

class KafkaWorkQueue implements WorkQueue, BoundToLog {
  readonly logBinding: LogBinding;
  private readonly kafka: Kafka;
  private readonly admin: Reconnecting<Admin>;
  private readonly producer: Reconnecting<Producer>;
  private readonly topics: Topics;
  private readonly reader: TopicReader;
  private readonly checkpoints: Checkpoints;
  private readonly groupPrefix: string;
  private readonly closing = new AbortController();
  private readonly consumers = new Set<Promise<void>>();

  constructor(private readonly options: KafkaWorkQueueOptions) {
    const { topicPrefix = DEFAULT_PREFIX, groupPrefix = topicPrefix } = options;
    const { DefaultPartitioner } = kafkajs.Partitioners;
    this.kafka = kafkaClient(options);
    this.groupPrefix = groupPrefix;
    this.admin = new Reconnecting(() => this.kafka.admin(), ANSWER_MS);
    this.producer = new Reconnecting(
      () =>
        this.kafka.producer({
          allowAutoTopicCreation: false,
          createPartitioner: DefaultPartitioner,
        }),
      ANSWER_MS,
    );
    this.topics = new Topics(this.admin, options, topicPrefix);
    this.reader = new TopicReader(this.kafka, this.admin, groupPrefix, ANSWER_MS);
    this.checkpoints = new Checkpoints(this.topics, this.producer, this.reader);
    this.logBinding = checkpointsBinding(this.checkpoints, (work) => this.ask(work));
  }

  /** @throws FootnoteError `engine_unavailable` if no broker answers. */
  async reach(): Promise<void> {
    await this.ask(() => this.admin.use((admin) => admin.listTopics()));
  }

  async publish<Body>(topic: string, messages: readonly QueueMessage<Body>[]): Promise<void> {
    if (messages.length === 0) return;
    const records = messages.map((message) => toRecord(message));
    await this.ask(() => this.send(this.topics.nameOf(topic), 'work', records));
  }

  async consume<Body>(
    topic: string,
    handler: (delivery: QueueDelivery<Body>) => Promise<void>,
    options: ConsumeOptions,
  ): Promise<void> {
    const { logger, leaseMs = 10_000, maxDeliveries = 5, redeliveryDelayMs = 1_000 } = this.options;
    const name = this.topics.nameOf(topic);
    const consumer = new KafkaConsumer(handler, {
      kafka: this.kafka,
      logger,
      topic: name,
      groupId: this.groupOf(name),
      leaseMs,
      maxDeliveries,
      redeliveryDelayMs: (deliveries) =>
        backOffMs({ firstMs: redeliveryDelayMs, longestMs: MAX_REDELIVERY_DELAY_MS }, deliveries),
      ensureTopic: () => {
        // A consumer that is replaced may have lost its topic.
        this.topics.forget(name);
        return this.topics.ensure(name, 'work');
      },
      bury: (record, place, reason) => this.bury(record, place, reason),
    });
    const running = consumer.run({
      ...options,
      signal: AbortSignal.any([options.signal, this.closing.signal]),
    });
    this.consumers.add(running);
    try {
      await running;
    } finally {
      this.consumers.delete(running);
    }
  }

  async deadLetters(topic: string, limit: number) {
    const name = this.topics.deadLettersOf(topic);
    return this.ask(async () => {
      await this.topics.ensure(name, 'dead-letters');
      return (await this.reader.read(name, limit)).map(readDeadLetter).reverse();
    });
  }

  async depth(topic: string) {
    const name = this.topics.nameOf(topic);
    return this.ask(async () => {
      await this.topics.ensure(name, 'work');
      return this.admin.use((admin) => depthOf(admin, name, this.groupOf(name), Date.now()));
    });
  }

  async loadCheckpoint(name: string): Promise<string | null> {
    return this.ask(() => this.checkpoints.load(name));
  }

  async saveCheckpoint(name: string, value: string): Promise<void> {
    await this.ask(() => this.checkpoints.save(name, value));
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.consumers);
    await Promise.all([this.producer.close(), this.admin.close()]);
  }

  private groupOf(topicName: string): string {
    return topicName.startsWith(this.groupPrefix) ? topicName : this.groupPrefix + topicName;
  }

  private async bury(record: KafkaMessage, place: RecordPlace, reason: string): Promise<void> {
    const name = this.topics.deadLettersOf(place.topic);
    await this.send(name, 'dead-letters', [toDeadLetter(record, place, reason)]);
  }

  /** Sends, and repeats once if the topic has disappeared since its creation. */
  private async send(
    topic: string,
    kind: TopicKind,
    messages: ReturnType<typeof toRecord>[],
  ): Promise<void> {
    const send = async () => {
      await this.topics.ensure(topic, kind);
      for (const batch of inBatches(messages)) {
        await this.producer.use((producer) => producer.send({ topic, acks: -1, messages: batch }));
      }
    };
    await send().catch((error: unknown) => {
      this.topics.forget(topic);
      if (!isUnknownTopic(error)) throw error;
      return send();
    });
  }

  /** @throws FootnoteError `engine_unavailable` for any reason of the brokers. */
  private async ask<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw isFootnoteError(error) ? error : kafkaUnavailable('work queue', error);
    }
  }
}
