import { type Clock, systemClock } from '../clock/clock.js';

export interface SharedReadingOptions {
  /** Milliseconds for which a result is reused, counted from its request. */
  readonly forMs: number;
  /** Default: the clock of the process. */
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/**
 * One read for any number of callers. At most one read is in progress, and none begins sooner than
 * `forMs` after the previous one. All callers in between get its outcome, even a failure. So the
 * cost does not grow with the number of callers.
 */
export class SharedReading<T> {
  private readonly clock: Pick<Clock, 'monotonic'>;
  private latest: Promise<T> | undefined;
  private reading = false;
  private begunAt = -Infinity;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly options: SharedReadingOptions,
  ) {
    this.clock = options.clock ?? systemClock;
  }

  /** Returns the last result if it is fresh, joins a read in progress, or starts a new one. */
  get(): Promise<T> {
    const now = this.clock.monotonic();
    if (this.latest && (this.reading || now - this.begunAt < this.options.forMs))
      return this.latest;
    this.begunAt = now;
    this.reading = true;
    this.latest = this.read().finally(() => (this.reading = false));
    return this.latest;
  }
}
