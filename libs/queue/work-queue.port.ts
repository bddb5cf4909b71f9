/** A message waiting for a worker. */
export interface QueueMessage<Body = unknown> {
  /** Decides identity: publishing an id again while it is queued or remembered changes nothing. */
  readonly id: string;
  /** Messages of one key are handed out one at a time, in the order they were published. */
  readonly key: string;
  readonly body: Body;
}

export interface QueueDelivery<Body = unknown> {
  readonly message: QueueMessage<Body>;
  /** 1 on the first delivery; a redelivery after a crash or a lost lease counts on. */
  readonly deliveries: number;
  /**
   * Aborted when the queue takes the message away from this consumer (lease lost, rebalance,
   * shutdown).
   */
  readonly signal: AbortSignal;
}

export interface PublishOptions {
  /**
   * Lets the queue leave a message out while one of the same key and body waits that nobody has
   * taken. A queue that cannot tell publishes it. Default false.
   */
  readonly unlessWaiting?: boolean;
}

export interface ConsumeOptions {
  /** How many messages this consumer works on at once. Default 1. */
  readonly concurrency?: number;
  /**
   * Shares them by the tenant that the bodies name (`tenant_id`), within this process: places go
   * round, and none has more than `mostOfTenant`. Default false: first come, first served.
   */
  readonly byTenant?: boolean;
  /** Default: half of them. */
  readonly mostOfTenant?: number;
  readonly signal: AbortSignal;
}

/**
 * A hint that work is due; the truth is in the log. Delivery is at least once. A handler that
 * resolves acknowledges its message; one that rejects gets it back later, and after `maxDeliveries`
 * it goes to the dead letters.
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
  /** What could not be handled, newest first, at most `limit`. */
  deadLetters(
    topic: string,
    limit: number,
  ): Promise<readonly { readonly message: QueueMessage; readonly reason: string }[]>;
  /** Messages that wait and the age of the oldest in milliseconds, for metrics and readiness. */
  depth(topic: string): Promise<{ readonly waiting: number; readonly oldestAgeMs: number | null }>;
  /**
   * Small durable values that belong to the queue's side of the house: the dispatcher's checkpoint.
   */
  loadCheckpoint(name: string): Promise<string | null>;
  saveCheckpoint(name: string, value: string): Promise<void>;
  close(): Promise<void>;
}
