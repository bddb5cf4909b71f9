/** A message waiting for a worker. */
export interface QueueMessage<Body = unknown> {
  /** Identity: publishing an id again while it is queued or remembered changes nothing. */
  readonly id: string;
  /** Messages of one key are delivered one at a time, in publishing order. */
  readonly key: string;
  readonly body: Body;
}

export interface QueueDelivery<Body = unknown> {
  readonly message: QueueMessage<Body>;
  /** 1 on the first delivery; continues after a crash or a lost lease. */
  readonly deliveries: number;
  /**
   * Aborted when the queue takes the message away from this consumer (lease lost, rebalance,
   * shutdown).
   */
  readonly signal: AbortSignal;
}

export interface PublishOptions {
  /**
   * Lets the queue omit a message if one of the same key and body waits that nobody has taken. A
   * queue that does not know publishes it. Default false.
   */
  readonly unlessWaiting?: boolean;
}

export interface ConsumeOptions {
  /** Number of messages that this consumer handles at once. Default 1. */
  readonly concurrency?: number;
  /**
   * Divides slots among tenants (`tenant_id` of the bodies) within this process: in turn, and at
   * most `mostOfTenant` each. Default false: first come, first served.
   */
  readonly byTenant?: boolean;
  /** Default: half of them. */
  readonly mostOfTenant?: number;
  readonly signal: AbortSignal;
}

/**
 * A hint that work is due; the truth is in the log. Delivery is at least once. A handler that
 * resolves acknowledges its message. One that rejects gets it again later, and after
 * `maxDeliveries` it goes to the dead letters.
 */
export interface WorkQueue {
  /** Durable when it resolves. */
  publish<Body>(
    topic: string,
    messages: readonly QueueMessage<Body>[],
    options?: PublishOptions,
  ): Promise<void>;
  /** Consumes until the signal aborts; resolves when every handler in flight has ended. */
  consume<Body>(
    topic: string,
    handler: (delivery: QueueDelivery<Body>) => Promise<void>,
    options: ConsumeOptions,
  ): Promise<void>;
  /** Returns messages that could not be handled, newest first, at most `limit`. */
  deadLetters(
    topic: string,
    limit: number,
  ): Promise<readonly { readonly message: QueueMessage; readonly reason: string }[]>;
  /**
   * Returns the number of waiting messages and the age of the oldest in milliseconds, for metrics
   * and readiness.
   */
  depth(topic: string): Promise<{ readonly waiting: number; readonly oldestAgeMs: number | null }>;
  /** Small durable values next to the queue: the dispatcher's checkpoint. */
  loadCheckpoint(name: string): Promise<string | null>;
  saveCheckpoint(name: string, value: string): Promise<void>;
  close(): Promise<void>;
}
