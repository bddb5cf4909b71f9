import type { Position } from '#contracts';

import { DeliveryOrderError } from './errors/delivery-order.error.js';
import type { SubscriptionDelivery } from './event-store.port.js';

/**
 * What a subscription delivers after a place, watched: each place is past the one told before, as the port promises, so that
 * no event is taken for known that was never seen. The event that stands at the very place where the last one stood is the one
 * that a resumed subscription repeats; it is left out, and so is a checkpoint that says what is known.
 * @throws DeliveryOrderError for anything else at or before the place already told.
 */
export async function* inOrder(
  deliveries: AsyncIterable<SubscriptionDelivery>,
  after: Position | 'start',
): AsyncGenerator<SubscriptionDelivery, void, undefined> {
  let told = after;
  // The subscription goes on after an event, as far as this can know: its repetition is no sign of a wrong checkpoint.
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
