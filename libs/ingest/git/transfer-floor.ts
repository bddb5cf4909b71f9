/** Minimum speed of a transfer, and the time that it may stay below. */
export interface SlowTransfer {
  readonly bytesPerSecond: number;
  readonly seconds: number;
}

/** Default minimum speed. */
export const SLOW_TRANSFER: SlowTransfer = Object.freeze({ bytesPerSecond: 1_000, seconds: 15 });

/**
 * Detects a transfer that is too slow, from the bytes received so far. It serves transports whose
 * own client does not check the speed. No bytes need to arrive while the other side reports work
 * (counting, compressing) or this side works (resolving).
 */
export class TransferFloor {
  private readonly samples: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor(private readonly floor: SlowTransfer) {}

  /**
   * Restarts the measurement. Call this when one of the two sides reports work other than the
   * transfer.
   */
  atWork(): void {
    this.samples.length = 0;
  }

  /**
   * Adds a measurement and checks the speed.
   *
   * @param atMs monotonic time.
   * @param bytes received in total.
   * @returns true if fewer bytes than the minimum arrived during the whole permitted time.
   */
  isTooSlow(atMs: number, bytes: number): boolean {
    const windowMs = this.floor.seconds * 1_000;
    this.samples.push({ atMs, bytes });
    // Keeps the newest sample that is a whole window old, because growth is measured from it.
    while ((this.samples[1]?.atMs ?? Infinity) <= atMs - windowMs) this.samples.shift();
    const [first] = this.samples;
    if (!first || atMs - first.atMs < windowMs) return false;
    const seconds = (atMs - first.atMs) / 1_000;
    return bytes - first.bytes < this.floor.bytesPerSecond * seconds;
  }
}
