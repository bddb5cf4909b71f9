import type { Position, RecordedEvent } from '#contracts';
import type { SubscriptionDelivery } from '#event-store';

/** Events that arrived together, in order, and the position that the subscription has reached. */
export interface DeliveredBatch {
  readonly events: readonly RecordedEvent[];
  /**
   * Position of the last event or checkpoint; undefined when nothing but the caught-up signal came.
   */
  readonly to: Position | undefined;
  readonly caughtUp: boolean;
}

/**
 * Gathers deliveries into batches of what is there, at most `max` events, so that a projection that
 * falls behind takes more at once. Reads ahead by at most two batches.
 */
export async function* batches(
  deliveries: AsyncIterable<SubscriptionDelivery>,
  max: number,
): AsyncGenerator<DeliveredBatch> {
  const buffer = new DeliveryBuffer(max * 2);
  const pump = (async () => {
    for await (const delivery of deliveries) await buffer.put(delivery);
  })().then(
    () => buffer.end(),
    (error: unknown) => buffer.end(error),
  );
  try {
    for (;;) {
      const taken = await buffer.take(max);
      if (taken.length === 0) return;
      yield gather(taken);
    }
  } finally {
    buffer.abandon();
    await Promise.race([pump, Promise.resolve()]);
  }
}

function gather(deliveries: readonly SubscriptionDelivery[]): DeliveredBatch {
  const events: RecordedEvent[] = [];
  let to: Position | undefined;
  let caughtUp = false;
  for (const delivery of deliveries) {
    if (delivery.kind === 'event') events.push(delivery.event);
    if (delivery.kind === 'caught-up') caughtUp = true;
    else to = delivery.kind === 'event' ? delivery.event.position : delivery.position;
  }
  return { events, to, caughtUp };
}

/** A bounded hand-over between one writer and one reader. */
class DeliveryBuffer {
  private readonly items: SubscriptionDelivery[] = [];
  private changed = Promise.withResolvers<void>();
  private ended = false;
  private abandoned = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(private readonly limit: number) {}

  async put(delivery: SubscriptionDelivery): Promise<void> {
    while (this.items.length >= this.limit && !this.abandoned) await this.changed.promise;
    this.items.push(delivery);
    this.signal();
  }

  /**
   * Up to `max` deliveries, at least one; none at the end. @throws what the writer failed with,
   * after the last one.
   */
  async take(max: number): Promise<SubscriptionDelivery[]> {
    while (this.items.length === 0) {
      if (this.failure) throw this.failure.error;
      if (this.ended) return [];
      await this.changed.promise;
    }
    const taken = this.items.splice(0, max);
    this.signal();
    return taken;
  }

  end(error?: unknown): void {
    this.ended = true;
    if (error !== undefined) this.failure = { error };
    this.signal();
  }

  /** Nobody reads any more: a writer that waits goes on to its end. */
  abandon(): void {
    this.abandoned = true;
    this.signal();
  }

  private signal(): void {
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }
}
