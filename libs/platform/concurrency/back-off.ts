/** Growth of the pauses between attempts. */
export interface BackOff {
  /** The pause after the first attempt, milliseconds. */
  readonly firstMs: number;
  /** Maximum pause, milliseconds. */
  readonly longestMs: number;
  /** Factor between consecutive pauses. Default 2. */
  readonly factor?: number;
  /**
   * Maximum share of a pause that is randomly left out, so that work that failed together is not
   * retried together. Default 0.
   */
  readonly jitter?: number;
}

/**
 * Returns the milliseconds to wait after attempt number `attempt`, which counts from 1.
 * @param random from 0 up to 1; share of the jitter to leave out.
 */
export function backOffMs(
  { firstMs, longestMs, factor = 2, jitter = 0 }: BackOff,
  attempt: number,
  random: () => number = Math.random,
): number {
  const full = Math.min(longestMs, firstMs * factor ** (attempt - 1));
  return jitter === 0 ? full : full * (1 - jitter * random());
}
