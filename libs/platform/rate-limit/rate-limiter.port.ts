/** Whether a request may pass. */
export interface RateDecision {
  readonly allowed: boolean;
  /** What may still pass now, as far as is known. */
  readonly remaining: number;
  /** Seconds until some of what was counted counts no more. */
  readonly resetSeconds: number;
}

/** How many count now. */
export interface RateUsage {
  readonly count: number;
  /** Seconds until there are fewer; 0: there are none. */
  readonly resetSeconds: number;
}

/**
 * Lets at most a number of requests of a subject pass in any stretch of time as long as the window.
 * Nothing of it is an event, and it may be lost: with it only what was counted is.
 */
export interface RateLimiter {
  /**
   * Counts one if it may pass. Answers at once where nobody has to be asked. @param limit of this
   * subject, from 0.
   */
  take(subject: string, limit: number): RateDecision | Promise<RateDecision>;
  /** One that was let pass is not to count. */
  giveBack(subject: string): void;
  used(subject: string): Promise<RateUsage>;
  close(): Promise<void>;
}

/** The length of the window. */
export const RATE_WINDOW_SECONDS = 60;
