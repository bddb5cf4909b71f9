import type { Position, RecordedEvent } from '#contracts';
import type { EventStore, SubscribeOptions, SubscriptionDelivery } from '#event-store';

export interface Following {
  readonly seen: SubscriptionDelivery[];
  until(done: (seen: readonly SubscriptionDelivery[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Follows the log in the background; `until` fails when what it waits for does not come within 10
 * s.
 */
export function follow(store: EventStore, options: Omit<SubscribeOptions, 'signal'>): Following {
  const abort = new AbortController();
  const seen: SubscriptionDelivery[] = [];
  let check = (): void => undefined;
  const running = (async () => {
    for await (const delivery of store.subscribe({ ...options, signal: abort.signal })) {
      seen.push(delivery);
      check();
    }
  })();
  return {
    seen,
    until: (done) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`waited in vain; saw ${seen.length} deliveries`)),
          10_000,
        );
        check = () => {
          if (!done(seen)) return;
          clearTimeout(timer);
          resolve();
        };
        running.catch((error: Error) => {
          clearTimeout(timer);
          reject(error);
        });
        check();
      }),
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}

export function events(seen: readonly SubscriptionDelivery[]): RecordedEvent[] {
  return seen.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event] : []));
}

export function positions(seen: readonly SubscriptionDelivery[]): Position[] {
  return events(seen).map((event) => event.position);
}

export function kinds(seen: readonly SubscriptionDelivery[]): string[] {
  return seen.map((delivery) => delivery.kind);
}

export function streamRevisions(seen: readonly SubscriptionDelivery[], stream: string): bigint[] {
  return events(seen)
    .filter((event) => event.stream === stream)
    .map((event) => event.revision);
}

export async function headOf(store: EventStore): Promise<Position | 'start'> {
  return (await store.head()) ?? 'start';
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function revisions(items: AsyncIterable<RecordedEvent>): Promise<bigint[]> {
  return (await collect(items)).map((event) => event.revision);
}

export async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('expected a refusal, but it was accepted');
    },
    (error: unknown) => error,
  );
}
