import type { Logger } from '#platform';

/** Connection options of a Kafka cluster. */
export interface KafkaConnection {
  /** `host:port` of bootstrap brokers. */
  readonly brokers: readonly string[];
  /** Name of this process in the brokers' logs and quotas. */
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

/** Layout of a new topic; existing topics keep theirs. */
export interface TopicLayout {
  /**
   * Permanent: another number changes the partition of a key, and with it the order within the key.
   */
  readonly partitions: number;
  /** Copies of each partition; with three or more, one may be missing. */
  readonly replication: number;
}

export interface KafkaWorkQueueOptions extends KafkaConnection, TopicLayout {
  /** Prefix of every topic's name, unless the name already has it. Default `footnote.`. */
  readonly topicPrefix?: string;
  /** Prefix of every consumer group's name. Default: the topic prefix. */
  readonly groupPrefix?: string;
  /**
   * After this many consecutive failed deliveries, a message goes to the dead letters. Default 5.
   */
  readonly maxDeliveries?: number;
  /**
   * Time that a silent process keeps its partitions; the brokers require at least 6,000. Default
   * 10,000.
   */
  readonly leaseMs?: number;
  /**
   * Pause before the first redelivery of a rejected message; it doubles up to 60 s. Default 1,000.
   */
  readonly redeliveryDelayMs?: number;
}
