import type { Position } from '#contracts';
import { type BackOff, backOffMs, sleep } from '#platform';

import { DeliveryOrderError, isDeliveryOrder } from './errors/log-errors.js';
import type { EventStore, SubscriptionDelivery, SubscriptionFilter } from './event-store.port.js';

/**
 * Checks the deliveries of a subscription: each position must be past the one reported before, so
 * that no skipped event counts as known. A resumed subscription repeats the event at its last
 * position. That event is left out, and so is a checkpoint that repeats a known position.
 * @throws DeliveryOrderError for anything else at or before the reported position.
 */
export async function* inOrder(
  deliveries: AsyncIterable<SubscriptionDelivery>,
  after: Position | 'start',
): AsyncGenerator<SubscriptionDelivery, void, undefined> {
  let delivered = after;
  // The subscription resumes after an event, as far as this function knows. A repeated event does
  // not prove a wrong checkpoint.
  let event: Position | 'start' = after;
  for await (const delivery of deliveries) {
    if (delivery.kind === 'caught-up') {
      yield delivery;
      continue;
    }
    const position = delivery.kind === 'event' ? delivery.event.position : delivery.position;
    if (delivered === 'start' || position > delivered) {
      delivered = position;
      if (delivery.kind === 'event') event = position;
      yield delivery;
    } else if (position !== (delivery.kind === 'event' ? event : delivered)) {
      throw new DeliveryOrderError(position, delivered, event);
    }
  }
}

/**
 * Takes deliveries until they end.
 * @param taken to be called when a delivery is processed, with its position if it has one. A taken
 * delivery is not delivered again, and the pause after the next failure is the shortest again.
 * @param end ends the deliveries without an error, for a taker whose other work failed.
 * @returns `done` to stop following; any other value subscribes again.
 */
export type TakeDeliveries = (
  deliveries: AsyncIterable<SubscriptionDelivery>,
  taken: (position?: Position) => void,
  end: () => void,
) => Promise<'done' | 'again'>;

export interface FollowLogOptions {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly filter?: SubscriptionFilter;
  /**
   * Ends the following without an error, also during a pause; the current delivery is completed
   * first.
   */
  readonly signal: AbortSignal;
  /**
   * Returns where to subscribe; called before each subscription.
   * @param reached position up to which all deliveries were taken; null before the first.
   */
  readonly from: (reached: Position | null) => Position | 'start' | Promise<Position | 'start'>;
  readonly take: TakeDeliveries;
  /** Pause after the log was lost. */
  readonly backOff: BackOff;
  /**
   * Called after each failure of `from`, of the log, or of `take`; awaited before the next
   * subscription. Its own errors end the following.
   */
  readonly onFailure: (error: unknown, retryInMs: number) => void | Promise<void>;
}

/**
 * Follows the log until the signal aborts or `take` is done. After a failure it waits, longer each
 * time, and subscribes again after the last taken delivery. Each delivery is reported at least once
 * and in order. None is skipped; one at or before a reported position is a failure (`inOrder`).
 */
export async function followLog(options: FollowLogOptions): Promise<void> {
  const { signal, backOff, onFailure } = options;
  let reached: Position | null = null;
  let attempts = 0;
  const taken = (position?: Position): void => {
    reached = position ?? reached;
    attempts = 0;
  };
  while (!signal.aborted) {
    const ended = await subscribeOnce(options, reached, taken);
    if (signal.aborted || ended === 'done') return;
    attempts += 1;
    const pause = backOffMs(backOff, attempts);
    if (ended !== 'again') {
      // Skipped events come after the last event, wherever a checkpoint was.
      if (isDeliveryOrder(ended.error))
        reached = ended.error.since === 'start' ? null : ended.error.since;
      await onFailure(ended.error, pause);
    }
    await sleep(pause, signal);
  }
}

async function subscribeOnce(
  { store, filter, signal, from, take }: FollowLogOptions,
  reached: Position | null,
  taken: (position?: Position) => void,
): Promise<'done' | 'again' | { readonly error: unknown }> {
  const subscription = new AbortController();
  try {
    const after = await from(reached);
    const until = AbortSignal.any([signal, subscription.signal]);
    const deliveries = store.subscribe({ after, signal: until, ...(filter ? { filter } : {}) });
    return await take(inOrder(deliveries, after), taken, () => subscription.abort());
  } catch (error) {
    return { error };
  } finally {
    // A reader ahead of the taker must stop reading.
    subscription.abort();
  }
}

/** Takes one delivery after the other; the next one waits until the previous one is processed. */
export function oneByOne(
  deal: (delivery: SubscriptionDelivery) => void | Promise<void>,
): TakeDeliveries {
  return async (deliveries, taken) => {
    for await (const delivery of deliveries) {
      await deal(delivery);
      taken(placeOf(delivery));
    }
    return 'again';
  };
}

/** Returns what follows a delivery, if it has already arrived. */
export type LookAhead = () => Promise<SubscriptionDelivery | undefined>;

/** Like {@link oneByOne}, for a taker that may ask at once what follows. */
export function oneByOneAhead(
  deal: (delivery: SubscriptionDelivery, ahead: LookAhead) => void | Promise<void>,
): TakeDeliveries {
  return async (deliveries, taken) => {
    const iterator = deliveries[Symbol.asyncIterator]();
    try {
      for (let coming = iterator.next(); ;) {
        const step = await coming;
        if (step.done === true) return 'again';
        let asked: ReturnType<typeof iterator.next> | undefined;
        await deal(step.value, () => {
          asked ??= iterator.next();
          return ofThisMoment(asked);
        });
        taken(placeOf(step.value));
        coming = asked ?? iterator.next();
      }
    } finally {
      // Not awaited: the requested item may come only when the subscription ends, and its caller
      // ends it.
      iterator.return?.().catch(() => undefined);
    }
  };
}

/**
 * Returns the result of events that have already arrived; undefined if it must be awaited, and at
 * the end, which is reported later.
 */
function ofThisMoment(
  coming: Promise<IteratorResult<SubscriptionDelivery>>,
): Promise<SubscriptionDelivery | undefined> {
  return new Promise((resolve) => {
    coming.then(
      (step) => resolve(step.done === true ? undefined : step.value),
      () => resolve(undefined),
    );
    setImmediate(() => resolve(undefined));
  });
}

function placeOf(delivery: SubscriptionDelivery): Position | undefined {
  if (delivery.kind === 'event') return delivery.event.position;
  return delivery.kind === 'checkpoint' ? delivery.position : undefined;
}
