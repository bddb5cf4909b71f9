import type { Position } from '#contracts';

/**
 * A subscription delivered something at or before a place that it had told already. Who stored that place would take an event
 * for known that it never saw; so the subscription ends, and is taken up from what is stored.
 */
export class DeliveryOrderError extends Error {
  readonly code = 'delivery_out_of_order';

  constructor(
    /** Where the delivery stands. */
    readonly position: Position,
    /** The place that was told before. */
    readonly told: Position,
    /** The last event before it, or where the subscription began: whoever goes on after that gets what was passed over. */
    readonly since: Position | 'start',
  ) {
    super(`The event log delivered position ${position} after it had told of ${told}`);
    this.name = 'DeliveryOrderError';
  }
}

export function isDeliveryOrder(error: unknown): error is DeliveryOrderError {
  return error instanceof Error && 'code' in error && error.code === 'delivery_out_of_order';
}
