import { backOffMs, type Clock } from '#platform';

/** Number of consecutive failures after which the endpoint counts as down. */
const FAILURES_UNTIL_DOWN = 5;
const RESTS = { firstMs: 1_000, longestMs: 60_000 };

/** The state of the endpoint according to its requests so far, shared by all callers. */
export class EndpointHealth {
  private failures = 0;
  private downUntil = 0;
  private pausedUntil = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /**
   * Milliseconds for which the endpoint gets no request because it fails; 0 if requests are
   * allowed.
   */
  get downFor(): number {
    return Math.max(0, this.downUntil - this.clock.monotonic());
  }

  /** The same for work that is not urgent, including the pauses that the endpoint requested. */
  get pausedFor(): number {
    return Math.max(this.downFor, this.pausedUntil - this.clock.monotonic());
  }

  succeeded(): void {
    this.failures = 0;
    this.downUntil = 0;
  }

  failed(): void {
    this.failures += 1;
    if (this.failures < FAILURES_UNTIL_DOWN) return;
    this.downUntil =
      this.clock.monotonic() + backOffMs(RESTS, this.failures - FAILURES_UNTIL_DOWN + 1);
  }

  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.monotonic() + milliseconds);
  }
}
