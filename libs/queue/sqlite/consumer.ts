import { sleep } from '#platform';

import { mostOf } from '../fair-shares.js';
import type { ConsumeOptions, QueueDelivery } from '../work-queue.port.js';
import type { LeasedMessage } from './queue-database.js';
import type { QueueThread } from './queue-thread.js';
import type { Wakeups } from './wakeups.js';

export interface ConsumerOptions {
  readonly leaseMs: number;
  /** Longest pause between two checks of the queue if nothing wakes the consumer. */
  readonly pollMs: number;
  /** Called when the queue could not be read. */
  readonly onError: (error: unknown) => void;
  /** Returns the pause before a rejected message is redelivered, by its deliveries so far. */
  readonly redeliveryDelayMs: (deliveries: number) => number;
}

interface InFlight {
  readonly lease: string;
  readonly taken: AbortController;
  readonly done: Promise<void>;
}

/**
 * One consumer: takes messages while it has free slots, renews their leases, and reports each
 * outcome.
 */
export class Consumer<Body> {
  private readonly inFlight = new Map<string, InFlight>();

  constructor(
    private readonly topic: string,
    private readonly handler: (delivery: QueueDelivery<Body>) => Promise<void>,
    private readonly thread: QueueThread,
    private readonly wakeups: Wakeups,
    /** Milliseconds since the epoch, without the jumps of the wall clock. */
    private readonly now: () => number,
    private readonly options: ConsumerOptions,
  ) {}

  async run({
    concurrency = 1,
    byTenant = false,
    mostOfTenant,
    signal,
  }: ConsumeOptions): Promise<void> {
    const most = byTenant ? (mostOfTenant ?? mostOf(concurrency)) : null;
    const heartbeat = setInterval(() => void this.renew(), this.options.leaseMs / 3);
    const onAbort = () => this.inFlight.forEach(({ taken }) => taken.abort());
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!signal.aborted) {
        const woken = this.wakeups.next(this.topic);
        const free = concurrency - this.inFlight.size;
        const received = free > 0 ? await this.receive(free, most) : [];
        for (const message of received) this.start(message, signal);
        if (received.length < free || free === 0) {
          const idle = new AbortController();
          const waits = [woken, sleep(this.options.pollMs, AbortSignal.any([signal, idle.signal]))];
          await Promise.race(waits);
          idle.abort();
        }
      }
    } finally {
      await Promise.allSettled([...this.inFlight.values()].map(({ done }) => done));
      signal.removeEventListener('abort', onAbort);
      clearInterval(heartbeat);
    }
  }

  /**
   * A temporary failure of the engine does not end the consumer: it checks again at the next poll.
   */
  private async receive(limit: number, most: number | null): Promise<LeasedMessage[]> {
    try {
      return await this.thread.call(
        'receive',
        this.topic,
        limit,
        this.now(),
        this.options.leaseMs,
        most,
      );
    } catch (error) {
      this.options.onError(error);
      return [];
    }
  }

  private start(message: LeasedMessage, signal: AbortSignal): void {
    const taken = new AbortController();
    if (signal.aborted) taken.abort();
    const done = this.handle(message, taken.signal).finally(() => {
      this.inFlight.delete(message.lease);
      this.wakeups.wake(this.topic);
    });
    done.catch(() => undefined);
    this.inFlight.set(message.lease, { lease: message.lease, taken, done });
  }

  private async handle(message: LeasedMessage, signal: AbortSignal): Promise<void> {
    const { id, key, lease, deliveries } = message;
    try {
      await this.handler({
        message: { id, key, body: JSON.parse(message.body) as Body },
        deliveries,
        signal,
      });
    } catch (error) {
      if (signal.aborted) return this.thread.call('release', lease);
      const at = this.now() + this.options.redeliveryDelayMs(deliveries);
      return this.thread.call('reject', lease, reasonOf(error), at);
    }
    await this.thread.call('acknowledge', lease);
  }

  /**
   * Renews leases. A lost lease means that another delivery is in progress, so its handler is
   * aborted.
   */
  private async renew(): Promise<void> {
    const leases = [...this.inFlight.keys()];
    if (leases.length === 0) return;
    const kept = await this.thread
      .call('renew', leases, this.now(), this.options.leaseMs)
      .catch(() => leases);
    for (const lease of leases) if (!kept.includes(lease)) this.inFlight.get(lease)?.taken.abort();
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
