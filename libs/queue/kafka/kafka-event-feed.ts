import kafkajs, { type Admin, type Message, type Producer } from 'kafkajs';

import type { CloudEvent } from '#contracts';

import type { EventFeed } from '../feed.port.js';
import { kafkaClient, kafkaUnavailable } from './kafka-client.js';
import type { KafkaConnection, TopicLayout } from './kafka-options.js';
import { Reconnecting } from './reconnecting.js';
import { inBatches } from './records.js';
import { Topics } from './topics.js';

export interface KafkaEventFeedOptions extends KafkaConnection, TopicLayout {
  /** Start of the topic's name, `<prefix>events`. Default `footnote.`. */
  readonly topicPrefix?: string;
}

const ANSWER_MS = 12_000;

/** The feed as a topic: CloudEvents in structured mode, keyed by tenant. Connects when it is first needed. */
export function openKafkaEventFeed(options: KafkaEventFeedOptions): EventFeed {
  return new KafkaEventFeed(options);
}

class KafkaEventFeed implements EventFeed {
  private readonly admin: Reconnecting<Admin>;
  private readonly producer: Reconnecting<Producer>;
  private readonly topics: Topics;
  private readonly topic: string;

  constructor(options: KafkaEventFeedOptions) {
    const kafka = kafkaClient(options);
    const { DefaultPartitioner } = kafkajs.Partitioners;
    this.admin = new Reconnecting(() => kafka.admin(), ANSWER_MS);
    this.producer = new Reconnecting(
      () =>
        kafka.producer({
          allowAutoTopicCreation: false,
          createPartitioner: DefaultPartitioner,
          // A retried request is recognised by the brokers, and a later one cannot overtake it.
          idempotent: true,
          maxInFlightRequests: 1,
          retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 },
        }),
      ANSWER_MS,
    );
    this.topics = new Topics(this.admin, options, options.topicPrefix ?? 'footnote.');
    this.topic = this.topics.nameOf('events');
  }

  async publish(events: readonly CloudEvent[]): Promise<void> {
    if (events.length === 0) return;
    try {
      await this.topics.ensure(this.topic, 'feed');
      for (const messages of inBatches(events.map(toMessage))) {
        await this.producer.use((producer) => producer.send({ topic: this.topic, acks: -1, messages }));
      }
    } catch (error) {
      this.topics.forget(this.topic);
      throw kafkaUnavailable(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.producer.close(), this.admin.close()]);
  }
}

function toMessage(event: CloudEvent): Message {
  return {
    key: event.tenantid,
    value: JSON.stringify(event),
    headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8' },
  };
}
