import type { Logger } from '#platform';

/** How to reach a Kafka cluster. */
export interface KafkaConnection {
  /** `host:port` of brokers to start from. */
  readonly brokers: readonly string[];
  /** Name by which brokers know this process in their logs and quotas. */
  readonly clientId: string;
  readonly ssl?: boolean | undefined;
  readonly sasl?:
    | {
        readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
        readonly username: string;
        readonly password: string;
      }
    | undefined;
  readonly logger: Logger;
}

/** What a topic is given when it is made; a topic that exists is taken as it is. */
export interface TopicLayout {
  /**
   * Fixed for good: another number changes which partition a key goes to, and with it the order
   * within the key.
   */
  readonly partitions: number;
  /** Copies of each partition; with three or more, one may be missing. */
  readonly replication: number;
}

export interface KafkaWorkQueueOptions extends KafkaConnection, TopicLayout {
  /** Start of every topic's name; a name that has it already is left alone. Default `footnote.`. */
  readonly topicPrefix?: string;
  /** Start of every consumer group's name. Default: the topic prefix. */
  readonly groupPrefix?: string;
  /** After this many failed deliveries in a row a message goes to the dead letters. Default 5. */
  readonly maxDeliveries?: number;
  /**
   * How long a process that went silent keeps its partitions; the brokers allow 6,000 or more.
   * Default 10,000.
   */
  readonly leaseMs?: number;
  /**
   * Wait before the first redelivery of a rejected message; it doubles up to 60 s. Default 1,000.
   */
  readonly redeliveryDelayMs?: number;
}
