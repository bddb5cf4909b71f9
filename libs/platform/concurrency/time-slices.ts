import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that one slice may block the event loop. */
const SLICE_MS = 4;

/**
 * Divides long work on the event loop into slices. Time limits a slice instead of a count, because
 * an item may take a microsecond or a millisecond. Call `pause` between items; it yields to the
 * event loop once the current slice has lasted `sliceMs`.
 */
export class TimeSlices {
  private sliceStart: number;

  /**
   * @param sliceMs length of a slice in milliseconds; default 4.
   * @param now monotonic clock in milliseconds; default `performance.now`.
   */
  constructor(
    private readonly sliceMs = SLICE_MS,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.sliceStart = now();
  }

  /** True if the current slice is used up; for loops that await only if necessary. */
  get isUsedUp(): boolean {
    return this.now() - this.sliceStart >= this.sliceMs;
  }

  /**
   * Yields to the event loop if the current slice is used up, and begins the next slice.
   * @throws the signal's reason if it is aborted.
   */
  async pause(signal?: AbortSignal): Promise<void> {
    if (!this.isUsedUp) return;
    await nextTurn();
    signal?.throwIfAborted();
    this.sliceStart = this.now();
  }
}
