/** How the waits between attempts grow. */
export interface BackOff {
  /** The wait after the first attempt, milliseconds. */
  readonly firstMs: number;
  /** No wait is longer, milliseconds. */
  readonly longestMs: number;
  /** Each wait is this many times the one before. Default 2. */
  readonly factor?: number;
  /**
   * Up to this share of a wait is left out, so that what failed together does not come back
   * together. Default 0.
   */
  readonly jitter?: number;
}

/**
 * Milliseconds to wait after attempt number `attempt`, which counts from 1.
 * @param random from 0 up to 1; how much of the jitter is left out.
 */
export function backOffMs(
  { firstMs, longestMs, factor = 2, jitter = 0 }: BackOff,
  attempt: number,
  random: () => number = Math.random,
): number {
  const full = Math.min(longestMs, firstMs * factor ** (attempt - 1));
  return jitter === 0 ? full : full * (1 - jitter * random());
}
