/**
 * The source of time. Wall-clock time is for people; durations and leases use the monotonic clock.
 */
export interface Clock {
  /** Returns the wall-clock time. */
  now(): Date;
  /** Returns milliseconds that never go backwards; not comparable across processes. */
  monotonic(): number;
}

export const systemClock: Clock = Object.freeze({
  now: () => new Date(),
  monotonic: () => performance.now(),
});

/** Injection token of the port. */
export const CLOCK = Symbol('Clock');
