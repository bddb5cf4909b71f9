import kafkajs, { type Admin, type Message, type Producer } from 'kafkajs';

import type { CloudEvent } from '#contracts';
import type { BoundToLog, LogBinding } from '#platform';

import type { EventFeed } from '../feed.port.js';
import { Checkpoints, checkpointsBinding } from './checkpoints.js';
import { kafkaClient, kafkaUnavailable } from './kafka-client.js';
import type { KafkaConnection, TopicLayout } from './kafka-options.js';
import { Reconnecting } from './reconnecting.js';
import { inBatches } from './records.js';
import { TopicReader } from './topic-reader.js';
import { Topics } from './topics.js';

export interface KafkaEventFeedOptions extends KafkaConnection, TopicLayout {
  /** Prefix of the topic's name, `<prefix>events`. Default `footnote.`. */
  readonly topicPrefix?: string;
  /**
   * Awaited before the checkpoint is returned, and so before anything is published; its errors are
   * passed on.
   */
  readonly beforeUse?: () => Promise<unknown>;
}

const ANSWER_MS = 12_000;
const DEFAULT_PREFIX = 'footnote.';
const CHECKPOINT = 'feed';

/**
 * Opens the feed as a topic: CloudEvents in structured mode, keyed by tenant. Connects on first
 * use.
 */
export function openKafkaEventFeed(options: KafkaEventFeedOptions): EventFeed & BoundToLog {
  return new KafkaEventFeed(options);
}

class KafkaEventFeed implements EventFeed, BoundToLog {
  readonly logBinding: LogBinding;
  private readonly admin: Reconnecting<Admin>;
  private readonly producer: Reconnecting<Producer>;
  private readonly topics: Topics;
  private readonly checkpoints: Checkpoints;
  private readonly topic: string;

  constructor(private readonly options: KafkaEventFeedOptions) {
    const { topicPrefix = DEFAULT_PREFIX } = options;
    const kafka = kafkaClient(options);
    const { DefaultPartitioner } = kafkajs.Partitioners;
    this.admin = new Reconnecting(() => kafka.admin(), ANSWER_MS);
    this.producer = new Reconnecting(
      () =>
        kafka.producer({
          allowAutoTopicCreation: false,
          createPartitioner: DefaultPartitioner,
          // The brokers recognize a retried request, and a later one cannot overtake it.
          idempotent: true,
          maxInFlightRequests: 1,
          retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 },
        }),
      ANSWER_MS,
    );
    this.topics = new Topics(this.admin, options, topicPrefix);
    const reader = new TopicReader(kafka, this.admin, topicPrefix, ANSWER_MS);
    this.checkpoints = new Checkpoints(this.topics, this.producer, reader);
    this.logBinding = checkpointsBinding(this.checkpoints, reachable);
    this.topic = this.topics.nameOf('events');
  }

  async publish(events: readonly CloudEvent[]): Promise<void> {
    if (events.length === 0) return;
    await reachable(async () => {
      try {
        await this.topics.ensure(this.topic, 'feed');
        for (const messages of inBatches(events.map(toMessage))) {
          await this.producer.use((producer) =>
            producer.send({ topic: this.topic, acks: -1, messages }),
          );
        }
      } catch (error) {
        this.topics.forget(this.topic);
        throw error;
      }
    });
  }

  async loadCheckpoint(): Promise<string | null> {
    await this.options.beforeUse?.();
    return reachable(() => this.checkpoints.load(CHECKPOINT));
  }

  saveCheckpoint(position: string): Promise<void> {
    return reachable(() => this.checkpoints.save(CHECKPOINT, position));
  }

  async close(): Promise<void> {
    await Promise.all([this.producer.close(), this.admin.close()]);
  }
}

async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw kafkaUnavailable('event feed', error);
  }
}

function toMessage(event: CloudEvent): Message {
  return {
    key: event.tenantid,
    value: JSON.stringify(event),
    headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8' },
  };
}
