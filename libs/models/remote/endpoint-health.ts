import { backOffMs, type Clock } from '#platform';

/** Failures in a row after which the endpoint is taken for down. */
const FAILURES_UNTIL_DOWN = 5;
const RESTS = { firstMs: 1_000, longestMs: 60_000 };

/** What is known about the endpoint from the requests so far, shared by all that ask it. */
export class EndpointHealth {
  private failures = 0;
  private downUntil = 0;
  private pausedUntil = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /**
   * Milliseconds for which the endpoint is left alone because it does not work; 0 when it may be
   * asked.
   */
  get downFor(): number {
    return Math.max(0, this.downUntil - this.clock.monotonic());
  }

  /** The same for what is not urgent, the pauses that the endpoint asked for included. */
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
