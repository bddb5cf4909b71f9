import { type Clock, systemClock } from '../clock/clock.js';

export interface SharedReadingOptions {
  /** Milliseconds that what was read is told again, counted from the moment it was asked for. */
  readonly forMs: number;
  /** Default: the clock of the process. */
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/**
 * One answer for any number of callers: at most one reading is under way, none begins sooner than
 * `forMs` after the one before it, and everybody who comes meanwhile gets its outcome, a failure
 * too. What it costs does not grow with the callers.
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

  /** What was read last, if that is fresh or still being read; else it is read anew. */
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
