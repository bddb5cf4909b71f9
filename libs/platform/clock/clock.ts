/**
 * Where time comes from. Wall-clock time is for what people read; durations and leases use the
 * monotonic clock.
 */
export interface Clock {
  /** Now, by the wall clock. */
  now(): Date;
  /** Milliseconds that never go backwards; meaningless across processes. */
  monotonic(): number;
}

export const systemClock: Clock = Object.freeze({
  now: () => new Date(),
  monotonic: () => performance.now(),
});

/** Injection token of the port. */
export const CLOCK = Symbol('Clock');
