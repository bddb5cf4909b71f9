import type { Position } from '#contracts';
import { type BackOff, backOffMs, sleep } from '#platform';

import { DeliveryOrderError, isDeliveryOrder } from './errors/log-errors.js';
import type { EventStore, SubscriptionDelivery, SubscriptionFilter } from './event-store.port.js';

/**
 * What a subscription delivers after a place, watched: each place is past the one told before, as
 * the port promises, so that no event is taken for known that was never seen. The event that stands
 * at the very place where the last one stood is the one that a resumed subscription repeats; it is
 * left out, and so is a checkpoint that says what is known.
 * @throws DeliveryOrderError for anything else at or before the place already told.
 */
export async function* inOrder(
  deliveries: AsyncIterable<SubscriptionDelivery>,
  after: Position | 'start',
): AsyncGenerator<SubscriptionDelivery, void, undefined> {
  let told = after;
  // The subscription goes on after an event, as far as this can know: its repetition is no sign of
  // a wrong checkpoint.
  let event: Position | 'start' = after;
  for await (const delivery of deliveries) {
    if (delivery.kind === 'caught-up') {
      yield delivery;
      continue;
    }
    const position = delivery.kind === 'event' ? delivery.event.position : delivery.position;
    if (told === 'start' || position > told) {
      told = position;
      if (delivery.kind === 'event') event = position;
      yield delivery;
    } else if (position !== (delivery.kind === 'event' ? event : told)) {
      throw new DeliveryOrderError(position, told, event);
    }
  }
}

/**
 * Takes deliveries until they end.
 * @param taken to be called when a delivery is dealt with: with its position, or without for one
 * that has none. What was taken is not delivered again, and the next failure is waited for as if it
 * were the first.
 * @param end ends the deliveries without an error, for a taker whose work failed beside them.
 * @returns `done` to end the following; anything else takes the log up again.
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
   * Ends the following without an error, also in the middle of a pause; what is being taken is
   * waited for.
   */
  readonly signal: AbortSignal;
  /**
   * Where to subscribe, asked before each subscription.
   * @param reached up to where everything was taken; null before the first.
   */
  readonly from: (reached: Position | null) => Position | 'start' | Promise<Position | 'start'>;
  readonly take: TakeDeliveries;
  /** How long a log that was lost is left alone. */
  readonly backOff: BackOff;
  /**
   * Told of each failure: of `from`, of the log, or of `take`; waited for before the log is taken
   * up again. What it throws ends the following.
   */
  readonly onFailure: (error: unknown, retryInMs: number) => void | Promise<void>;
}

/**
 * Follows the log until the signal aborts or `take` is done: subscribes, and after a failure waits,
 * longer each time, and subscribes again where everything was taken. Each delivery is told at least
 * once and in order; none is left out, and one that comes at or before what was told already is a
 * failure (`inOrder`).
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
      // What was passed over comes after the last event, wherever a checkpoint stood.
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
    // Whoever reads ahead of the taker must not go on reading.
    subscription.abort();
  }
}

/** Takes one delivery after the other; the next waits until the one before it is dealt with. */
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

/** What follows a delivery, where it has come already. */
export type LookAhead = () => Promise<SubscriptionDelivery | undefined>;

/** As {@link oneByOne}, for a taker that may want to know what follows at once. */
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
      // Not waited for: what was asked for may only come when the subscription ends, which is the
      // caller's to end.
      iterator.return?.().catch(() => undefined);
    }
  };
}

/**
 * What comes of the events that are there; undefined for what has to be waited for, and for the
 * end, which is told later.
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
