/** The decision on a request. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Number of requests that may still pass, as far as known. */
  readonly remaining: number;
  /** Seconds until some counted requests leave the window. */
  readonly resetSeconds: number;
}

/** The current count. */
export interface RateUsage {
  readonly count: number;
  /** Seconds until it decreases; 0: there are none. */
  readonly resetSeconds: number;
}

/**
 * Limits the requests of a subject in any period as long as the window. It stores no events, and
 * its state may be lost, with only the counts.
 */
export interface RateLimiter {
  /**
   * Counts one request if it may pass. Answers synchronously if no query is needed.
   * @param limit of this subject, from 0.
   */
  take(subject: string, limit: number): RateDecision | Promise<RateDecision>;
  /** Uncounts a request that had passed. */
  giveBack(subject: string): void;
  used(subject: string): Promise<RateUsage>;
  close(): Promise<void>;
}

/** The length of the window. */
export const RATE_WINDOW_SECONDS = 60;
