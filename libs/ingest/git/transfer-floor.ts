/** How slow a transfer may be, and for how long. */
export interface SlowTransfer {
  readonly bytesPerSecond: number;
  readonly seconds: number;
}

/** What holds where nothing is configured. */
export const SLOW_TRANSFER: SlowTransfer = Object.freeze({ bytesPerSecond: 1_000, seconds: 15 });

/**
 * Tells from what has arrived so far whether a transfer is too slow. For transports whose own
 * client does not watch that. While the other side says that it is at work (counting, compressing),
 * or this one is (resolving), nothing need arrive.
 */
export class TransferFloor {
  private readonly samples: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor(private readonly floor: SlowTransfer) {}

  /** To be called when one of the two sides told of work other than the transfer. */
  atWork(): void {
    this.samples.length = 0;
  }

  /**
   * @param atMs monotonic time. @param bytes that have arrived in all.
   * @returns true when less than the floor came in all of the time that it may take.
   */
  isTooSlow(atMs: number, bytes: number): boolean {
    const windowMs = this.floor.seconds * 1_000;
    this.samples.push({ atMs, bytes });
    // The newest sample that is a whole window old stays: growth is measured from there.
    while ((this.samples[1]?.atMs ?? Infinity) <= atMs - windowMs) this.samples.shift();
    const [first] = this.samples;
    if (!first || atMs - first.atMs < windowMs) return false;
    const seconds = (atMs - first.atMs) / 1_000;
    return bytes - first.bytes < this.floor.bytesPerSecond * seconds;
  }
}
