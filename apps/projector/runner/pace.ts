/** So many steps a second in the long run; what was not used lately may come at once. */
export interface PaceOptions {
  readonly perSecond: number;
  readonly burst: number;
}

/** Computes the pause between steps, so that many small ones become fewer and larger ones. */
export class Pace {
  private readonly intervalMs: number;
  /**
   * Due time of the next step if every step were an interval apart, in milliseconds of a monotonic
   * clock.
   */
  private dueAt = -Infinity;

  constructor(private readonly options: PaceOptions) {
    this.intervalMs = 1_000 / options.perSecond;
  }

  /**
   * To be called at each step. @returns milliseconds to wait before the next one; 0 within the
   * burst.
   */
  next(now: number): number {
    const { burst } = this.options;
    // Steps that came without waiting are not held against those that come much later.
    const latest = now + (burst + 1) * this.intervalMs;
    this.dueAt = Math.min(Math.max(this.dueAt, now) + this.intervalMs, latest);
    return Math.max(0, this.dueAt - now - burst * this.intervalMs);
  }
}
