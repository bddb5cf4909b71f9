import { describe, expect, it } from '@jest/globals';

import type { Position, RecordedEvent } from '#contracts';

import { isDeliveryOrder } from './errors/log-errors.js';
import type { SubscriptionDelivery } from './event-store.port.js';
import { inOrder } from './follow-log.js';

const at = (place: number) => String(place).padStart(20, '0') as Position;
const event = (place: number): SubscriptionDelivery => ({
  kind: 'event',
  event: { position: at(place) } as RecordedEvent,
});
const checkpoint = (place: number): SubscriptionDelivery => ({
  kind: 'checkpoint',
  position: at(place),
});
const caughtUp: SubscriptionDelivery = { kind: 'caught-up' };

/** Returns what passes, and the final error. */
async function through(after: Position | 'start', ...deliveries: SubscriptionDelivery[]) {
  const seen: SubscriptionDelivery[] = [];
  const source = (async function* () {
    yield* deliveries;
  })();
  try {
    for await (const delivery of inOrder(source, after)) seen.push(delivery);
  } catch (error) {
    return { seen, error };
  }
  return { seen, error: undefined };
}

describe('deliveries in order', () => {
  it('pass unchanged', async () => {
    const all = [event(1), checkpoint(4), caughtUp, event(5), event(9), checkpoint(12)];
    expect(await through('start', ...all)).toEqual({ seen: all, error: undefined });
    expect(await through(at(0), ...all)).toEqual({ seen: all, error: undefined });
  });

  it('omit what a resumed subscription repeats', async () => {
    expect(await through(at(3), event(3), event(5), event(5), checkpoint(5), event(6))).toEqual({
      seen: [event(5), event(6)],
      error: undefined,
    });
  });

  it.each([
    ['an event at a checkpoint', [checkpoint(7), event(7)], 7, 7, 'start'],
    ['an event before a checkpoint', [event(2), checkpoint(7), event(5)], 5, 7, at(2)],
    ['an event before another', [event(4), event(2)], 2, 4, at(4)],
    ['an event before the position after which it resumes', [event(1)], 1, 3, at(3)],
    ['a checkpoint before an event', [event(6), checkpoint(5)], 5, 6, at(6)],
  ])('end at %s', async (_, deliveries, position, previous, since) => {
    const after = deliveries.length === 1 ? at(3) : 'start';
    const { seen, error } = await through(after, ...deliveries, event(20));
    expect(seen).toEqual(deliveries.slice(0, -1));
    expect(isDeliveryOrder(error)).toBe(true);
    expect(error).toMatchObject({ position: at(position), previous: at(previous), since });
  });
});
